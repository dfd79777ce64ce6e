for (const button of document.querySelectorAll("button[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  const name = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    let said = "Copied";
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      field.focus();
      field.select();
      if (!document.execCommand("copy")) said = "Selected";
    }
    button.textContent = said;
    setTimeout(() => { button.textContent = name; }, 1600);
  });
  field.addEventListener("focus", () => field.select());
}
