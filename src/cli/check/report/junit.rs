//! JUnit XML: a suite for each family, a case for each picture, and one suite for the floors.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report as Xml, TestCase, TestCaseStatus, TestSuite};

use super::{Family, Report};
use crate::cli::{
    check::result::{PictureResult, Standing},
    output,
};

/// The report. A picture that was wrong in the baseline is reported as skipped rather than failed, so that a server that
/// fails a job for any failed case does not do so for what is known.
///
/// # Errors
/// A message, if the document cannot be written.
pub fn render(report: &Report) -> Result<String, String> {
    let mut xml = Xml::new("fenlens check");
    xml.set_time(milliseconds(report.total.wall));
    xml.add_test_suites(report.families.iter().map(|family| suite_of_family(report, family)));
    xml.add_test_suites(suite_of_floors(report));
    xml.to_string().map_err(|error| error.to_string())
}

fn suite_of_family(report: &Report, family: &Family) -> TestSuite {
    let mut suite = TestSuite::new(family.name.as_str());
    suite.set_time(milliseconds(family.wall));
    let figures = &family.figures;
    let counts = [
        ("boards", figures.boards),
        ("exact", figures.exact),
        ("accept", figures.accept),
        ("silent", figures.silent),
        ("extra", figures.extra),
    ];
    suite.add_properties(counts.map(|(name, value)| Property::new(name, value.to_string())));
    suite.add_property(Property::new("model", report.model.as_str()));
    let pictures = report.pictures.iter().filter(|picture| picture.case.family == family.name);
    suite.add_test_cases(pictures.map(case));
    suite
}

/// A case for each family that has floors.
fn suite_of_floors(report: &Report) -> Option<TestSuite> {
    let floors = report.floors.as_ref()?;
    let mut suite = TestSuite::new("floors");
    for family in floors.families() {
        let below = report.below.iter().filter(|below| below.family == family);
        let below: Vec<String> = below.map(ToString::to_string).collect();
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
    Some(suite)
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
    let Some(worst) = misses.iter().find(|entry| entry.miss.silent).or(misses.first()) else {
        return TestCaseStatus::success();
    };
    let (mut message, mut description) = (Vec::new(), Vec::new());
    for entry in &misses {
        message.push(entry.numbered_line());
        description.push(entry.numbered_line());
        description.extend(entry.placements().map(|placement| format!("  {placement}")));
    }
    let (mut status, preface) = match picture.standing {
        Standing::Same => (TestCaseStatus::skipped(), "wrong in the baseline already: "),
        Standing::Worse => (TestCaseStatus::non_success(NonSuccessKind::Failure), "right in the baseline, wrong now: "),
        _ => (TestCaseStatus::non_success(NonSuccessKind::Failure), ""),
    };
    status.set_type(worst.miss.kind.name());
    status.set_message(format!("{preface}{}", message.join("; "))).set_description(description.join("\n"));
    status
}

fn milliseconds(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default()
}
