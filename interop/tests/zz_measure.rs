#![cfg(test)]
use std::sync::Arc;
use std::time::Instant;
use std::ops::ControlFlow;
use pqsig::{Algorithm, backend};
use pqsig_interop::peer::{Native, Peer, Caching};
use pqsig_interop::acvp::files::answer_file;
use pqsig_interop::record::Depth;
use pqsig_interop::vectors;
fn peer(name: &str) -> Arc<dyn Peer> { Arc::new(Native::new(backend::by_name(name).unwrap()).unwrap()) }
#[test] fn m() {
    let what = std::env::var("M").unwrap_or_default();
    if what == "quick" || what == "full" || what == "whole" {
        let peers: Vec<Arc<dyn Peer>> = backend::NAMES.iter().map(|n| Arc::new(Caching::new(peer(n))) as _).collect();
        let mut all = 0.0;
        for a in Algorithm::all() {
            if let Ok(only) = std::env::var("A") { if !a.name().contains(&only) { continue } }
            let t = Instant::now();
            let w = std::path::PathBuf::from("/work/main/target/acvp");
            let o = vectors::run(&peers, &[a], if what == "quick" { Depth::Quick } else { Depth::Full }, (what == "whole").then_some(w.as_path()), &|_,_| ControlFlow::Continue(())).unwrap();
            let s = t.elapsed().as_secs_f64(); all += s;
            let p: u64 = o.tallies.iter().map(|t| t.passed).sum();
            let k: u64 = o.tallies.iter().flat_map(|t| t.skipped.values()).sum();
            println!("{a}: {s:.2} s, passed {p}, skipped {k}, failures {}", o.failures.len());
        }
        println!("all {all:.1}");
    } else {
        let (b, f) = what.split_once(' ').unwrap();
        let t = Instant::now();
        let out = format!("/tmp/acvp/out-{b}.json");
        let r = answer_file(std::path::Path::new(f), peer(b), Some(std::path::Path::new(&out)), &|_,_| {}).unwrap();
        println!("{r}{:.1} s", t.elapsed().as_secs_f64());
    }
}
