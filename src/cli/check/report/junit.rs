//! JUnit XML: a suite for each family, a case for each picture, and one suite for the floors.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report as Xml, TestCase, TestCaseStatus, TestSuite};

use super::{PictureResult, Report};
use crate::cli::{check::baseline::Standing, output};

/// The report. A picture that was wrong in the baseline already is skipped rather than failed, so that a server which
/// fails a job for any failed case does not do so for what is known.
///
/// # Errors
/// In words, when the document cannot be written.
pub fn render(report: &Report) -> Result<String, String> {
    let mut xml = Xml::new("fenlens check");
    xml.set_time(milliseconds(report.total.wall));
    for family in &report.families {
        let mut suite = TestSuite::new(family.name.as_str());
        suite.set_time(milliseconds(family.wall));
        let figures = &family.figures;
        for (name, value) in [
            ("boards", figures.boards),
            ("exact", figures.exact),
            ("accept", figures.accept),
            ("silent", figures.silent),
            ("extra", figures.extra),
        ] {
            suite.add_property(Property::new(name, value.to_string()));
        }
        suite.add_property(Property::new("model", report.model.as_str()));
        let pictures = report.pictures.iter().filter(|picture| picture.case.family == family.name);
        suite.add_test_cases(pictures.map(case));
        xml.add_test_suite(suite);
    }
    if let Some(floors) = &report.floors {
        let mut suite = TestSuite::new("floors");
        for family in floors.families() {
            let below: Vec<String> =
                report.below.iter().filter(|below| below.family == family).map(|below| below.to_string()).collect();
            let status = if below.is_empty() {
                TestCaseStatus::success()
            } else {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_type("below the floor").set_message(below.join("; ")).set_description(below.join("\n"));
                status
            };
            let mut case = TestCase::new(family, status);
            case.set_classname("floors");
            suite.add_test_case(case);
        }
        xml.add_test_suite(suite);
    }
    xml.to_string().map_err(|error| error.to_string())
}

fn case(picture: &PictureResult) -> TestCase {
    let mut case = TestCase::new(picture.case.name.as_str(), status(picture));
    case.set_classname(picture.case.family.as_str());
    case.set_time(milliseconds(picture.timings.total));
    case.extra.insert("file".into(), output::show(&picture.case.picture).into());
    case
}

fn status(picture: &PictureResult) -> TestCaseStatus {
    if let Some(error) = &picture.error {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("unreadable").set_message(error.as_str());
        return status;
    }
    let misses: Vec<_> = picture.misses().collect();
    let Some(worst) = misses.iter().find(|view| view.miss.silent).or(misses.first()) else {
        return TestCaseStatus::success();
    };
    let (mut short, mut long) = (Vec::new(), Vec::new());
    for view in &misses {
        let which = view.which();
        let line = if which.is_empty() { view.line() } else { format!("{which}: {}", view.line()) };
        long.push(line.clone());
        long.extend(view.label().map(|(label, _)| format!("  label {label}")));
        long.extend(view.read().map(|(read, ..)| format!("  read  {read}")));
        short.push(line);
    }
    let (mut status, preface) = match picture.standing {
        Standing::Same => (TestCaseStatus::skipped(), "wrong in the baseline already: "),
        Standing::Worse => (TestCaseStatus::non_success(NonSuccessKind::Failure), "right in the baseline, wrong now: "),
        _ => (TestCaseStatus::non_success(NonSuccessKind::Failure), ""),
    };
    status.set_type(worst.miss.kind.name());
    status.set_message(format!("{preface}{}", short.join("; "))).set_description(long.join("\n"));
    status
}

fn milliseconds(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default()
}
