//! How far a reading can be trusted: which squares a person should check, and the verdict on the board.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    issue::Issue,
    orient::Orientation,
    place::{Reading, SquareReading},
    provenance::Source,
    visibility::Sight,
};

/// When to trust a reading. All values are compared with calibrated probabilities.
#[derive(Clone, Copy, Debug)]
pub struct TrustOptions {
    /// A square with a lower probability is flagged. Default: 0.98; a board has 64 squares and at most one accepted board in a
    /// thousand may be wrong, but nearly all squares of a clear picture are above 0.9999. A field of the FEN with a lower
    /// probability is asked for.
    pub square: f32,
    /// An orientation with a lower probability is flagged. Default: 0.98, for the same reason.
    pub orientation: f32,
    /// A board with a lower confidence of its detection is never accepted. Default: 0.9.
    pub located: f32,
    /// A board with a lower probability as a whole is never accepted, even if no single square is flagged. Default: 0.97: of
    /// 800 drawn boards, read from one view each, none of the 149 above it was wrong, nor any of the 26 between 0.95 and it.
    pub board: f32,
    /// A reading with more flagged squares that can be seen is refused: setting up the position by hand is quicker. Default: 12.
    pub flagged: usize,
    /// A reading of a board on which more squares cannot be seen is refused. Default: 20, a third of the board.
    pub hidden: usize,
}

impl Default for TrustOptions {
    fn default() -> Self {
        TrustOptions { square: 0.98, orientation: 0.98, located: 0.9, board: 0.97, flagged: 12, hidden: 20 }
    }
}

/// How far a board's reading can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing is flagged.
    Accept,
    /// A person should check what is flagged, and nothing else.
    Check,
    /// No trustworthy reading.
    Refuse,
}

impl Verdict {
    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Accept => "accept",
            Verdict::Check => "check",
            Verdict::Refuse => "refuse",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The judgment on one board.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Trust {
    /// What to do with the reading.
    pub verdict: Verdict,
    /// The probability that every square and the orientation are right.
    pub confidence: f32,
    /// For each square in the order of [`Reading::squares`], whether a person should check it.
    pub flagged: Vec<bool>,
    /// Whether a person should check which side is at the bottom.
    pub orientation_flagged: bool,
}

impl Trust {
    /// Judges a reading of a board that was detected with probability `located`.
    pub(crate) fn new(
        located: f32,
        orientation: &Orientation,
        reading: &Reading,
        issues: &[Issue],
        options: &TrustOptions,
    ) -> Trust {
        let hidden = |s: &SquareReading| s.sight != Sight::Clear && s.source != Source::User;
        let doubtful = |s: &SquareReading| s.changed || s.confidence < options.square || hidden(s);
        let flagged: Vec<bool> = reading.squares.iter().map(doubtful).collect();
        let orientation_flagged = orientation.confidence < options.orientation;
        let squares: f32 = reading.squares.iter().map(|s| s.confidence).product();
        let confidence = squares * orientation.confidence * located;
        let count = flagged.iter().filter(|&&flag| flag).count();
        let unseen = reading.squares.iter().filter(|s| hidden(s)).count();
        let verdict = if count - unseen > options.flagged || unseen > options.hidden {
            Verdict::Refuse
        } else if count > 0
            || orientation_flagged
            || located < options.located
            || confidence < options.board
            || issues.iter().any(Issue::prevents_acceptance)
        {
            Verdict::Check
        } else {
            Verdict::Accept
        };
        Trust { verdict, confidence, flagged, orientation_flagged }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::chess::Color,
        image::damage::Damage,
        recognize::{
            answers::Answers,
            complete::{Cues, complete},
            coordinates::CoordinateEvidence,
            integrity::Integrity,
            issue::issues,
            orient::{OrientOptions, OrientationEvidence, orient},
            place::{PlaceOptions, place, tests::scores_of},
        },
    };

    fn judge(placement: &str, sure: f32, located: f32) -> Trust {
        let scores = scores_of(placement, sure);
        let evidence = OrientationEvidence::new(&scores, CoordinateEvidence::Nothing);
        let orientation = orient(&evidence, &OrientOptions::default());
        let reading = place(&scores, &orientation, &PlaceOptions::default());
        let (fen, fields) = complete(&reading.placement, &Cues::default(), &Answers::default());
        let issues = issues(&reading, Integrity::SOUND, &fen, &fields);
        Trust::new(located, &orientation, &reading, &issues, &TrustOptions::default())
    }

    const GAME: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1";

    #[test]
    fn only_what_is_sure_is_accepted() {
        assert_eq!(judge(GAME, 0.99999, 0.999).verdict, Verdict::Accept);
        assert_eq!(judge(GAME, 0.99999, 0.5).verdict, Verdict::Check);
        let many_small_doubts = judge(GAME, 0.997, 0.999);
        assert_eq!(many_small_doubts.verdict, Verdict::Check);
        assert!(many_small_doubts.flagged.iter().all(|flag| !flag) && many_small_doubts.confidence < 0.9);
        assert_eq!(judge(GAME, 0.9, 0.999).verdict, Verdict::Refuse);
    }

    #[test]
    fn odd_positions_are_checked() {
        assert_eq!(judge("8/8/8/8/8/8/8/8", 0.99999, 0.999).verdict, Verdict::Check);
        let study = judge("8/8/4k3/8/8/3K4/8/8", 0.99999, 0.999);
        assert!(study.orientation_flagged && study.verdict == Verdict::Check);
    }

    #[test]
    fn damaged_pictures_are_checked() {
        let scores = scores_of(GAME, 0.99999);
        let orientation = Orientation::given(Color::White);
        let reading = place(&scores, &orientation, &PlaceOptions::default());
        let judge =
            |issues: &[Issue]| Trust::new(0.999, &orientation, &reading, issues, &TrustOptions::default()).verdict;
        assert_eq!(judge(&[]), Verdict::Accept);
        assert_eq!(judge(&[Issue::PictureDamaged(Damage::EndsEarly)]), Verdict::Check);
    }

    #[test]
    fn a_given_orientation_is_never_flagged() {
        let scores = scores_of("8/8/4k3/8/8/3K4/8/8", 0.99999);
        let orientation = Orientation::given(Color::Black);
        let reading = place(&scores, &orientation, &PlaceOptions::default());
        assert_eq!(Trust::new(0.999, &orientation, &reading, &[], &TrustOptions::default()).verdict, Verdict::Accept);
    }
}
