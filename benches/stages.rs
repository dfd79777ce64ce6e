//! Each stage by itself, and everything from bytes to record. One thread, built-in runtime.

#![allow(missing_docs, reason = "the macro makes a public function without")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fenlens::{
    Limits, Models, Options, Picture, Recognizer, Record, Runtime,
    games::game::Game,
    net::model::ModelBundle,
    recognize::{
        BoardImage, LocateOptions, OrientOptions, OrientationEvidence, PlaceOptions, Tiles, VisibilityOptions,
        stages::{CoordinateReader, Locator, PieceNetwork, VisibilityNetwork, classify, orient, place, visibility},
    },
};

/// A screenshot: 1920 x 1080 with one board of 640 pixels.
fn screenshot() -> Picture {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/boards/screen-attack.png");
    let picture = Picture::open(path, &Limits::default()).expect("a test picture");
    picture.resized(800, 800).padded(1920, 1080, [40, 44, 52])
}

/// A page of six printed boards of 600 pixels in two columns.
fn page() -> Picture {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/boards/print-shadow.png");
    let board = Picture::open(path, &Limits::default()).expect("a test picture").resized(600, 600);
    let mut page = Picture::filled(1800, 2400, [240; 3]);
    for n in 0..6 {
        let (left, top) = (200 + n % 2 * 800, 150 + n / 2 * 750);
        for (y, x) in (0..600).flat_map(|y| (0..600).map(move |x| (y, x))) {
            page.set_pixel(left + x, top + y, board.pixel(x, y));
        }
    }
    page
}

fn stages(c: &mut Criterion) {
    // Figures must not depend on the number of cores.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first use of the pool");
    let runtime = Runtime::pure_rust().expect("the built-in runtime");
    let models = Models::embedded().expect("embedded models");
    let load = |bundle: &ModelBundle| bundle.network(&runtime).expect("an embedded model");
    let mut group = c.benchmark_group("stages");
    group.sample_size(20);

    let picture = screenshot();
    let png = picture.to_png();
    let limits = Limits::default();
    group.bench_function("decode 1920x1080 PNG", |b| b.iter(|| Picture::decode(black_box(&png), &limits)));

    let locator = Locator::new(load(&models.finder), load(&models.aligner));
    let options = LocateOptions::default();
    group.bench_function("locate in 1920x1080", |b| b.iter(|| locator.locate(black_box(&picture), &options)));
    let located = locator.locate(&picture, &options).expect("the built-in runtime");
    assert_eq!(located.len(), 1, "the benchmark is of a screenshot with one board");
    let corners = located[0].corners;

    group.bench_function("rectify", |b| b.iter(|| BoardImage::cut(black_box(&picture), &corners, Game::Chess)));

    let board = BoardImage::cut(&picture, &corners, Game::Chess).expect("a rectangle");
    let pieces = PieceNetwork::new(&models.pieces, load(&models.pieces));
    group.bench_function("classify", |b| b.iter(|| classify(&pieces, &Tiles::new(black_box(&board)))));

    let scores = classify(&pieces, &Tiles::new(&board)).expect("a rectified board");
    let visible = VisibilityNetwork::new(load(&models.visibility));
    group.bench_function("tell what is visible", |b| {
        b.iter(|| visibility(&visible, black_box(&board), &picture, &VisibilityOptions::default()));
    });

    let reader = CoordinateReader::new(load(&models.coordinates));
    group.bench_function("read coordinates", |b| b.iter(|| reader.read(black_box(&picture), &corners)));
    let coordinates = reader.read(&picture, &corners).expect("a rectangle").evidence();

    group.bench_function("orient and place", |b| {
        b.iter(|| {
            let evidence = OrientationEvidence::new(black_box(&scores), coordinates);
            let orientation = orient(&evidence, &OrientOptions::default());
            place(&scores, &orientation, &PlaceOptions::default())
        });
    });

    group.bench_function("load", |b| b.iter(|| models.all().map(load)));

    let recognizer = Recognizer::new(&models, &runtime, Options::default()).expect("embedded models");
    group.bench_function("bytes to record", |b| {
        b.iter(|| Record::new("a.png", &recognizer.recognize_bytes(black_box(&png)), "m").to_json());
    });

    let page = page();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let read = || pool.install(|| recognizer.recognize(black_box(&page)).expect("the built-in runtime"));
        assert_eq!(read().boards.len(), 6);
        group.bench_function(format!("page of six boards, threads: {threads}"), |b| b.iter(read));
    }
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
