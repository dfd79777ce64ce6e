//! The checker of FEN records: one record of each kind, and lines of garbage.

#![allow(missing_docs, reason = "the macro makes a public function without")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fenlens::fen::{CheckOptions, check};

fn fen(c: &mut Criterion) {
    let mut group = c.benchmark_group("fen");
    let options = CheckOptions::default();
    for (name, text) in [
        ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("middle game", "r1bq1rk1/pp3ppp/2nbpn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 4 9"),
        ("double check", "4k3/8/5N2/8/8/8/8/4R1K1 b - - 0 40"),
        ("impossible check", "8/8/N7/2k5/N7/8/8/3K4 b - - 0 40"),
        ("doubled pawns", "r3k2r/p1p2ppp/p1p5/4P3/2P1P3/2P5/P1P2PPP/R3K2R w KQkq - 1 14"),
        ("wrong side, repaired", "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4"),
        ("upside down, repaired", "RNBQKBNR/PPPP1PPP/8/8/3pP3/4p3/ppp2ppp/rnbqkbnr w - - 0 3"),
        ("xiangqi start", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"),
        ("address", "https://lichess.org/editor/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1"),
    ] {
        group.bench_function(name, |b| b.iter(|| check(black_box(text), &options)));
    }
    let kilobyte = "p/8 w ".repeat(170);
    group.bench_function("1 kB of garbage", |b| b.iter(|| check(black_box(&kilobyte), &options)));
    let megabyte = "p/8 w ".repeat(170_000);
    group.bench_function("1 MB of garbage", |b| b.iter(|| check(black_box(&megabyte), &options)));
    group.finish();
}

criterion_group!(benches, fen);
criterion_main!(benches);
