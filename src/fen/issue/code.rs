//! The codes of the checker: each with its severity, the part of a record it is about, and its wording in English and Chinese.
//!
//! Words in braces are operands, filled in by [`Issue`](super::Issue).

use std::fmt;

/// How much an issue matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Not as the standard has it, or doubtful, but its meaning is plain.
    Warning,
    /// The record cannot be read, or no game leads to the position.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Severity {
    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }

    /// The name in Chinese.
    pub fn name_zh(self) -> &'static str {
        match self {
            Severity::Note => "提示",
            Severity::Warning => "警告",
            Severity::Error => "错误",
        }
    }
}

/// The part of a record that a code is about, in the order in which the parts are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Stage {
    Record,
    Placement,
    Side,
    Castling,
    CastlingOrEp,
    EnPassant,
    Counters,
    Position,
    Xiangqi,
}

impl Stage {
    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Record => "record",
            Stage::Placement => "placement",
            Stage::Side => "side",
            Stage::Castling => "castling",
            Stage::CastlingOrEp => "castling/ep",
            Stage::EnPassant => "ep",
            Stage::Counters => "counters",
            Stage::Position => "position",
            Stage::Xiangqi => "xiangqi",
        }
    }
}

/// The wording of a code in one language; words in braces are operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wording {
    /// What is wrong or worth knowing.
    pub message: &'static str,
    /// What to do about it; empty when there is nothing to do.
    pub fix: &'static str,
}

struct Entry {
    name: &'static str,
    severity: Severity,
    stage: Stage,
    english: Wording,
    chinese: Wording,
}

macro_rules! codes {
    ($($code:ident, $name:literal, $severity:ident, $stage:ident, $en:literal, $zh:literal, $fix:literal, $fix_zh:literal;)*) => {
        /// A kind of issue. The order is that of the parts of a record.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $name, "`: ", $en)] $code,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$code,)*];

            fn entry(self) -> &'static Entry {
                match self {
                    $(Code::$code => {
                        const ENTRY: Entry = Entry {
                            name: $name,
                            severity: Severity::$severity,
                            stage: Stage::$stage,
                            english: Wording { message: $en, fix: $fix },
                            chinese: Wording { message: $zh, fix: $fix_zh },
                        };
                        &ENTRY
                    })*
                }
            }
        }
    };
}

codes! {
    EmptyInput, "empty-input", Error, Record,
        "nothing to read",
        "没有内容",
        "ask for a FEN", "请提供 FEN";
    InputTooLong, "input-too-long", Error, Record,
        "{n} bytes; a FEN record never needs more than {max}",
        "{n} 字节，超过上限 {max}",
        "cut to the record", "只留局面记录";
    ExtraWhitespace, "extra-whitespace", Warning, Record,
        "surplus blanks at {pos}",
        "{pos} 处有多余空格",
        "one blank between fields, none outside", "字段之间一个空格，首尾不留";
    NonstandardSeparator, "nonstandard-separator", Warning, Record,
        "fields are separated by {what}, not by a blank",
        "字段之间用了{what}而不是空格",
        "replace by one blank", "改为一个空格";
    InvisibleCharacter, "invisible-character", Warning, Record,
        "invisible character U+{hex} at {pos}",
        "{pos} 处有不可见字符 U+{hex}",
        "remove it", "删去";
    WrapperText, "wrapper-text", Warning, Record,
        "text around the record was ignored: {text}",
        "忽略了外围文字：{text}",
        "keep the record alone", "只留局面记录";
    LookalikeCharacter, "lookalike-character", Warning, Record,
        "{char} (U+{hex}) at {pos} was read as {ascii}",
        "{pos} 处的 {char} 按 {ascii} 读取",
        "replace by {ascii}", "改为 {ascii}";
    MissingFields, "missing-fields", Warning, Record,
        "only {n} of 6 fields; {names} set to {defaults}",
        "只有 {n} 个字段（应为 6），{names} 取默认 {defaults}",
        "append the defaults, then check the side to move", "补上默认值，再核对行棋方";
    MissingDashes, "missing-dashes", Warning, Record,
        "counters follow the side directly; the two dashes are missing (xiangqi)",
        "缺少两个 -（象棋）",
        "insert - -", "插入 - -";
    TooManyFields, "too-many-fields", Error, Record,
        "{n} fields; from the seventh on: {text}",
        "有 {n} 个字段，多出：{text}",
        "remove what follows the sixth field", "删去第六字段之后的内容";
    EpdRecord, "epd-record", Note, Record,
        "an EPD record: four fields and operations {ops}",
        "这是 EPD 记录：四个字段加操作 {ops}",
        "take hmvc and fmvn as counters, else 0 1", "hmvc 与 fmvn 作计数，否则为 0 1";
    VariantExtension, "variant-extension", Error, Record,
        "{text} belongs to another variant ({variant})",
        "{text} 属于其他变体（{variant}）",
        "remove it or choose that variant", "删去，或选择该变体";
    SpaceInPlacement, "space-in-placement", Error, Placement,
        "the placement field is broken by blanks",
        "第 1 字段被空格断开",
        "join it", "连成一段";
    RankCount, "rank-count", Error, Placement,
        "{n} ranks; there must be {want}",
        "有 {n} 行，应为 {want} 行",
        "add or remove the rank that is missing or surplus", "补上或删去一行";
    RankSum, "rank-sum", Error, Placement,
        "rank {rank} ({text}) has {n} squares; there must be {want}",
        "第 {rank} 横线（{text}）共 {n} 格，应为 {want}",
        "add or remove {diff}", "增减 {diff} 格";
    RankEmpty, "rank-empty", Error, Placement,
        "rank {rank} is empty between slashes",
        "第 {rank} 横线为空",
        "write {want}", "写 {want}";
    DigitZero, "digit-zero", Error, Placement,
        "0 at {pos}: a count starts at 1",
        "{pos} 处的 0 不是空格数",
        "remove it", "删去";
    DigitNine, "digit-nine", Error, Placement,
        "9 at {pos}: a rank has eight squares",
        "{pos} 处的 9 超过 8 格",
        "write 8, or choose xiangqi", "写 8，或选择象棋";
    AdjacentDigits, "adjacent-digits", Warning, Placement,
        "rank {rank}: {text} must be one digit, {sum}",
        "第 {rank} 横线：{text} 应合写为 {sum}",
        "write {sum}", "写 {sum}";
    UnknownPiece, "unknown-piece", Error, Placement,
        "{char} at {pos} (rank {rank}) is no piece letter{hint}",
        "{pos} 处的 {char} 不是棋子字母{hint}",
        "use one of KQRBNP kqrbnp (KABNRCP in xiangqi)", "用 KQRBNP kqrbnp 之一（象棋用 KABNRCP）";
    UnicodePiece, "unicode-piece", Warning, Placement,
        "{char} was read as {ascii}",
        "{char} 按 {ascii} 读取",
        "replace by letters", "改为字母";
    PromotedMarker, "promoted-marker", Warning, Placement,
        "~ after {square} marks a promoted piece (crazyhouse)",
        "{square} 后的 ~ 是升变标记",
        "remove it", "删去";
    StraySlash, "stray-slash", Warning, Placement,
        "surplus / at {pos}",
        "{pos} 处多余的 /",
        "remove it", "删去";
    BackslashSeparator, "backslash-separator", Warning, Placement,
        "ranks are separated by \\ instead of /",
        "横线用了 \\ 分隔",
        "replace by /", "改为 /";
    LooksLikeXiangqi, "looks-like-xiangqi", Note, Placement,
        "ten ranks: this looks like a xiangqi record",
        "共十行，像是象棋局面",
        "choose xiangqi", "选择象棋";
    LooksLikeChess, "looks-like-chess", Note, Placement,
        "eight ranks: this looks like a chess record",
        "共八行，像是国际象棋局面",
        "choose chess", "选择国际象棋";
    LettersHe, "letters-he", Note, Placement,
        "H and E (WXF) were read as N and B",
        "H、E（WXF）按 N、B 读取",
        "write N and B, or ask for WXF output", "写 N、B，或要求输出 WXF 字母";
    SideInvalid, "side-invalid", Error, Side,
        "{text} is neither w nor b",
        "{text} 既不是 w 也不是 b",
        "write w or b", "写 w 或 b";
    SideNonstandard, "side-nonstandard", Warning, Side,
        "{text} was read as {side}",
        "{text} 按 {side} 读取",
        "write {side}", "写 {side}";
    SideInferred, "side-inferred", Note, Side,
        "no side given; {side} is in check, so it is {side}'s move",
        "未注明行棋方；{side} 被将军，故由其走",
        "confirm", "请确认";
    CastlingInvalid, "castling-invalid", Error, Castling,
        "{text} is not - or a set of K Q k q",
        "{text} 不是 - 或 KQkq 的组合",
        "write -, or the rights that stand", "写 -，或写仍成立的权利";
    CastlingOrder, "castling-order", Warning, Castling,
        "rights should read {want}",
        "应写作 {want}",
        "write {want}", "写 {want}";
    CastlingDuplicate, "castling-duplicate", Warning, Castling,
        "{char} is repeated",
        "{char} 重复",
        "write it once", "只写一次";
    CastlingShredder, "castling-shredder", Note, Castling,
        "{text} is Shredder-FEN for {want}",
        "{text} 是 Shredder-FEN，即 {want}",
        "write {want}", "写 {want}";
    CastlingChess960Only, "castling-chess960-only", Error, Castling,
        "a rook on the {file}-file castles only in Chess960",
        "{file} 线的车只有在 Chess960 中才能易位",
        "drop it or choose Chess960", "删去，或选择 Chess960";
    CastlingWithoutKing, "castling-without-king", Error, Castling,
        "{rights}: the {color} king is not on {square}",
        "{rights}：{color} 王不在 {square}",
        "drop {rights}", "删去 {rights}";
    CastlingWithoutRook, "castling-without-rook", Error, Castling,
        "{right}: no {color} rook on {square}",
        "{right}：{square} 没有{color}车",
        "drop {right}", "删去 {right}";
    Chess960Rights, "chess960-rights", Note, Castling,
        "these rights are possible in Chess960 (X-FEN)",
        "这些权利在 Chess960（X-FEN）中成立",
        "choose Chess960", "选择 Chess960";
    FieldNotDash, "field-not-dash", Warning, CastlingOrEp,
        "field {n} is always - in xiangqi, not {text}",
        "象棋第 {n} 字段恒为 -",
        "write -", "写 -";
    EpInvalid, "ep-invalid", Error, EnPassant,
        "{text} is neither - nor a square",
        "{text} 不是 - 也不是格子",
        "write -", "写 -";
    EpUppercase, "ep-uppercase", Warning, EnPassant,
        "{text} was read as {want}",
        "{text} 按 {want} 读取",
        "write {want}", "写 {want}";
    EpWrongRank, "ep-wrong-rank", Error, EnPassant,
        "{square}: with {side} to move the target is on rank {want}",
        "{side} 行棋时目标格应在第 {want} 横线",
        "change the side to move, or write -", "改行棋方，或写 -";
    EpNamesPawnSquare, "ep-names-pawn-square", Error, EnPassant,
        "{square} is where the pawn stands; the target is the square it passed, {want}",
        "{square} 是兵的落点，应写经过格 {want}",
        "write {want}", "写 {want}";
    EpNoPawn, "ep-no-pawn", Error, EnPassant,
        "{square}: no {color} pawn on {pawn} has just moved two squares",
        "{pawn} 没有刚走两格的{color}兵",
        "write -", "写 -";
    EpSquareOccupied, "ep-square-occupied", Error, EnPassant,
        "{square} is occupied by {piece}",
        "{square} 被 {piece} 占据",
        "write -", "写 -";
    EpOriginOccupied, "ep-origin-occupied", Error, EnPassant,
        "{origin}, where the pawn came from, is occupied",
        "起点 {origin} 被占据",
        "write -", "写 -";
    EpNotCapturable, "ep-not-capturable", Note, EnPassant,
        "correct by the standard; no pawn can take on {square} (X-FEN writes -)",
        "符合标准；没有兵可吃（X-FEN 写 -）",
        "keep; write - for programs that want only usable targets", "保留；若程序只要可用的目标格，写 -";
    EpCaptureIllegal, "ep-capture-illegal", Note, EnPassant,
        "a pawn stands ready, but taking on {square} would expose its king",
        "有兵可吃，但会使己王被将",
        "keep; write - for programs that want only legal targets", "保留；若程序只要合法的目标格，写 -";
    EpClockNonzero, "ep-clock-nonzero", Warning, Counters,
        "a pawn has just moved, so the clock should be 0, not {n}",
        "刚走过兵，半回合数应为 0",
        "write 0, or drop the target", "写 0，或删去目标格";
    HalfmoveInvalid, "halfmove-invalid", Error, Counters,
        "{text} is no whole number",
        "{text} 不是整数",
        "write 0 if unknown", "若不知，写 0";
    HalfmoveNegative, "halfmove-negative", Error, Counters,
        "the clock cannot be negative",
        "半回合数不能为负",
        "write 0", "写 0";
    FullmoveInvalid, "fullmove-invalid", Error, Counters,
        "{text} is no whole number",
        "{text} 不是整数",
        "write 1 if unknown", "若不知，写 1";
    FullmoveNegative, "fullmove-negative", Error, Counters,
        "the move number cannot be negative",
        "回合数不能为负",
        "write 1", "写 1";
    FullmoveZero, "fullmove-zero", Warning, Counters,
        "move numbers start at 1; 0 was read as 1",
        "回合数从 1 开始，0 按 1 读取",
        "write 1", "写 1";
    CounterOverflow, "counter-overflow", Error, Counters,
        "{text} is too large",
        "{text} 过大",
        "write 0 or 1 if unknown", "若不知，写 0 或 1";
    CounterDash, "counter-dash", Warning, Counters,
        "- was read as {default}",
        "- 按 {default} 读取",
        "write {default}", "写 {default}";
    CounterLeadingZero, "counter-leading-zero", Note, Counters,
        "leading zeros in {text}",
        "{text} 有前导零",
        "write {want}", "写 {want}";
    HalfmoveExceedsGame, "halfmove-exceeds-game", Warning, Counters,
        "{n} quiet half-moves, but only {plies} half-moves played",
        "静着数 {n} 多于已走 {plies}",
        "lower the clock or raise the move number", "减小半回合数或增大回合数";
    FiftyMoveReached, "fifty-move-reached", Note, Counters,
        "clock {n}: a draw may be claimed (50-move rule)",
        "可按五十回合规则要求和棋",
        "", "";
    SeventyFiveMoveReached, "seventy-five-move-reached", Warning, Counters,
        "clock {n}: the game is drawn (75-move rule)",
        "按七十五回合规则已和",
        "", "";
    FullmoveImplausible, "fullmove-implausible", Warning, Counters,
        "move {n}: no game under the 75-move rule gets past 8849",
        "回合数 {n} 不可能达到",
        "check the number", "核对此数";
    NaturalLimitReached, "natural-limit-reached", Note, Counters,
        "{n} half-moves without capture: the 60-move limit (xiangqi)",
        "已达自然限着（六十回合）",
        "", "";
    EmptyBoard, "empty-board", Error, Position,
        "no pieces on the board",
        "棋盘上没有棋子",
        "", "";
    MissingKing, "missing-king", Error, Position,
        "no {color} king",
        "缺{color}王（将、帅）",
        "find the piece read as something else", "找出被误读的王";
    TooManyKings, "too-many-kings", Error, Position,
        "{n} {color} kings: {squares}",
        "{color}王有 {n} 个：{squares}",
        "one of them is another piece (often the queen)", "其中一个是别的棋子（常为后）";
    KingsAdjacent, "kings-adjacent", Error, Position,
        "the kings on {a} and {b} touch",
        "两王 {a}、{b} 相邻",
        "move one of them", "移动其中一个";
    OpponentInCheck, "opponent-in-check", Error, Position,
        "{side} is to move, but the king on {square} is in check from {checkers}",
        "轮到 {side} 走，但对方王 {square} 正被 {checkers} 将军",
        "change the side to move, or check {checkers}", "改行棋方，或核对 {checkers}";
    TooManyCheckers, "too-many-checkers", Error, Position,
        "{n} pieces give check: {checkers}",
        "{n} 个子同时将军：{checkers}",
        "at most two can; check these squares", "最多两个；请核对这些格子";
    ImpossibleCheck, "impossible-check", Error, Position,
        "no last move can have given this check ({checkers})",
        "没有任何上一步能造成这样的将军（{checkers}）",
        "check these squares, the side to move, or the ep target", "核对这些格子、行棋方或过路兵目标格";
    PawnOnBackRank, "pawn-on-back-rank", Error, Position,
        "pawn on {squares}",
        "兵在底线：{squares}",
        "a pawn there would have promoted; often the board is upside down", "兵到底线必升变；常因棋盘颠倒";
    TooManyPawns, "too-many-pawns", Error, Position,
        "{n} {color} pawns; at most 8",
        "{color}兵 {n} 个，最多 8 个",
        "some are other pieces or of the other color", "有的是别的棋子或另一方的";
    TooManyPieces, "too-many-pieces", Error, Position,
        "{n} {color} pieces; at most 16",
        "{color}方 {n} 子，最多 16",
        "remove or recolor pieces", "删去棋子或改颜色";
    PromotionBudget, "promotion-budget", Error, Position,
        "{color}: {extra} pieces beyond the first set ({list}) but only {n} pawns are missing",
        "{color}：多出 {extra} 子（{list}），只少 {n} 兵",
        "one of {list} is misread", "{list} 中有一个误读";
    PromotionWithoutCapture, "promotion-without-capture", Error, Position,
        "all 32 pieces are on the board, so no pawn can have promoted",
        "32 子俱全，不可能有升变",
        "one piece is misread", "有一个棋子误读";
    PawnStructure, "pawn-structure", Error, Position,
        "{color} pawns {squares} need {n} captures, but {opp} has lost {k} (or cannot have got there at all)",
        "{color}兵 {squares} 需吃 {n} 子，而对方只少 {k} 子",
        "check these squares", "请核对这些格子";
    TrappedBishop, "trapped-bishop", Error, Position,
        "the bishop on {square} cannot have got there: {pawns} have never moved",
        "{square} 的象不可能到达：{pawns} 从未动过",
        "check these squares", "请核对这些格子";
    BoardUpsideDown, "board-upside-down", Warning, Position,
        "white pawns near rank 8 and black ones near rank 1: the ranks may be in reverse, or the colors swapped",
        "白兵在上、黑兵在下：棋盘可能颠倒或颜色写反",
        "turn the board; alternatives: rotate, swap colors", "上下翻转棋盘；或旋转半圈，或对换颜色";
    BoardMirrored, "board-mirrored", Warning, Position,
        "kings on the d-file, queens on the e-file: left and right may be exchanged",
        "王在 d 线、后在 e 线：棋盘可能左右镜像",
        "mirror the board", "左右翻转棋盘";
    KingOutsidePalace, "king-outside-palace", Error, Xiangqi,
        "the {color} general on {square} is outside its palace",
        "{color}将（帅）{square} 不在九宫",
        "check this square", "请核对此格";
    AdvisorOffPoint, "advisor-off-point", Error, Xiangqi,
        "the {color} advisor on {square} is on none of its five points",
        "{color}士（仕）{square} 不在五个位置上",
        "check this square", "请核对此格";
    ElephantOffPoint, "elephant-off-point", Error, Xiangqi,
        "the {color} elephant on {square} is on none of its seven points",
        "{color}象（相）{square} 不在七个位置上",
        "check this square", "请核对此格";
    ElephantCrossedRiver, "elephant-crossed-river", Error, Xiangqi,
        "the {color} elephant on {square} has crossed the river",
        "{color}象（相）{square} 过河",
        "check the square or the color", "核对此格或颜色";
    PawnBehindStart, "pawn-behind-start", Error, Xiangqi,
        "the {color} pawn on {square} is behind its first line",
        "{color}兵（卒）{square} 在起始线之后",
        "check this square", "请核对此格";
    PawnWrongFile, "pawn-wrong-file", Error, Xiangqi,
        "the {color} pawn on {square} left its file before crossing the river",
        "{color}兵（卒）{square} 未过河而不在原线",
        "check this square", "请核对此格";
    PawnDoubledUncrossed, "pawn-doubled-uncrossed", Error, Xiangqi,
        "two {color} pawns on the {file}-file before the river",
        "{color}兵（卒）未过河而同线 {file}",
        "check these squares", "请核对这些格子";
    TooManyOfKind, "too-many-of-kind", Error, Xiangqi,
        "{n} {color} {kind}; at most {max}",
        "{color}{kind} {n} 个，最多 {max}",
        "check these squares", "请核对这些格子";
    KingsFacing, "kings-facing", Error, Xiangqi,
        "the generals face each other on the {file}-file",
        "将帅在 {file} 线照面",
        "put a piece between or move one", "中间放一子，或移开一个";
}

impl Code {
    /// The stable word used in records.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The code of a stable word.
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// How much it matters.
    pub fn severity(self) -> Severity {
        self.entry().severity
    }

    /// The part of a record it is about.
    pub fn stage(self) -> Stage {
        self.entry().stage
    }

    /// The wording in English.
    pub fn english(self) -> Wording {
        self.entry().english
    }

    /// The wording in Chinese.
    pub fn chinese(self) -> Wording {
        self.entry().chinese
    }

    /// Whether a record with this issue has no normal form, because part of it cannot be read.
    pub fn is_unreadable(self) -> bool {
        self.severity() == Severity::Error
            && match self.stage() {
                Stage::Record | Stage::Placement | Stage::Side | Stage::Counters => true,
                Stage::Castling => self == Code::CastlingInvalid,
                Stage::EnPassant => self == Code::EpInvalid,
                Stage::CastlingOrEp | Stage::Position | Stage::Xiangqi => false,
            }
    }

    /// Whether the position remains unknown because of this issue. Counters are not part of the position, and surplus text
    /// does not hide it.
    pub fn hides_position(self) -> bool {
        let harmless = [Code::SpaceInPlacement, Code::TooManyFields, Code::VariantExtension];
        self.is_unreadable() && self.stage() != Stage::Counters && !harmless.contains(&self)
    }

    /// Whether no game of the plain game leads to a position with this issue.
    pub fn is_illegal(self) -> bool {
        self.severity() == Severity::Error && !self.is_unreadable()
    }

    /// Whether a record with this issue departs from the spelling that the PGN standard, 16.1.3, prescribes.
    ///
    /// An en passant target on a wrong rank may or may not be misspelled; [`Issue`](super::Issue) decides.
    pub(super) fn breaks_syntax(self) -> bool {
        match self.stage() {
            Stage::Record | Stage::CastlingOrEp => true,
            Stage::Placement => !matches!(self, Code::LettersHe | Code::LooksLikeChess | Code::LooksLikeXiangqi),
            Stage::Side => self != Code::SideInferred,
            Stage::Castling => matches!(
                self,
                Code::CastlingInvalid
                    | Code::CastlingOrder
                    | Code::CastlingDuplicate
                    | Code::CastlingShredder
                    | Code::CastlingChess960Only
            ),
            Stage::EnPassant => matches!(self, Code::EpInvalid | Code::EpUppercase | Code::EpNamesPawnSquare),
            Stage::Counters => matches!(
                self,
                Code::HalfmoveInvalid
                    | Code::HalfmoveNegative
                    | Code::FullmoveInvalid
                    | Code::FullmoveNegative
                    | Code::FullmoveZero
                    | Code::CounterDash
            ),
            Stage::Position | Stage::Xiangqi => false,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operands of a template, sorted.
    fn operands(template: &str) -> Vec<&str> {
        let mut names: Vec<&str> = template.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    #[test]
    fn the_table_is_whole() {
        assert_eq!(Code::ALL.len(), 87);
        for &code in Code::ALL {
            assert_eq!(Code::from_name(code.name()), Some(code));
            let (english, chinese) = (code.english(), code.chinese());
            assert_eq!(english.fix.is_empty(), chinese.fix.is_empty(), "{code}");
            let known = operands(english.message);
            assert!(operands(chinese.message).iter().all(|name| known.contains(name)), "{code}");
            assert_eq!(operands(english.fix), operands(chinese.fix), "{code}");
        }
    }

    #[test]
    fn what_is_unreadable_breaks_the_syntax() {
        // A number that is merely too large is spelled as it should be.
        let broken = |code: &Code| code.is_unreadable() && *code != Code::CounterOverflow;
        assert!(Code::ALL.iter().filter(|code| broken(code)).all(|code| code.breaks_syntax()));
    }
}
