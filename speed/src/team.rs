//! Threads that measure at the same time.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier};
use std::thread::{self, Scope};

use crate::clock::Clock;
use crate::sampler::{Lane, Slice};

/// The caller's thread and as many others as are wanted. They stay for the whole run, so that what a library
/// keeps per thread, such as its random generator, is not made anew in every slice.
pub(crate) struct Team<'a, C> {
    clock: &'a C,
    start: Arc<Barrier>,
    others: Vec<Member>,
}

struct Member {
    orders: Sender<(Lane, Slice)>,
    results: Receiver<Lane>,
}

/// Calls `f` with a team of this many threads, the caller's own among them.
///
/// # Errors
/// The system gives no more threads.
pub(crate) fn with_team<C: Clock, T>(
    clock: &C,
    threads: u32,
    f: impl FnOnce(&Team<'_, C>) -> T,
) -> io::Result<T> {
    let start = Arc::new(Barrier::new(threads.max(1) as usize));
    thread::scope(|scope| {
        let others = (1..threads)
            .map(|_| Member::spawn(scope, clock, Arc::clone(&start)))
            .collect::<io::Result<Vec<_>>>()?;
        // The members end when the team is dropped, and with it the channel of their orders.
        Ok(f(&Team { clock, start, others }))
    })
}

impl<C: Clock> Team<'_, C> {
    /// How many threads there are.
    pub(crate) fn threads(&self) -> u32 {
        u32::try_from(self.others.len() + 1).unwrap_or(u32::MAX)
    }

    /// Measures one slice of each lane, all at the same time. There must be as many lanes as threads.
    #[expect(clippy::expect_used, reason = "a lane catches its workload's panics, so no member ends early")]
    pub(crate) fn measure(&self, lanes: &mut Vec<Lane>, slice: Slice) {
        assert_eq!(lanes.len(), self.others.len() + 1, "a lane per thread");
        for (member, lane) in self.others.iter().zip(lanes.drain(1..)) {
            member.orders.send((lane, slice)).expect("members live as long as their team");
        }
        self.start.wait();
        lanes[0].measure(self.clock, slice);
        for member in &self.others {
            lanes.push(member.results.recv().expect("members live as long as their team"));
        }
    }
}

impl Member {
    fn spawn<'scope, C: Clock>(
        scope: &'scope Scope<'scope, '_>,
        clock: &'scope C,
        start: Arc<Barrier>,
    ) -> io::Result<Self> {
        let (orders, work) = channel::<(Lane, Slice)>();
        let (done, results) = channel();
        thread::Builder::new().name("pqsig-speed".to_owned()).spawn_scoped(scope, move || {
            while let Ok((mut lane, slice)) = work.recv() {
                start.wait();
                lane.measure(clock, slice);
                if done.send(lane).is_err() {
                    return;
                }
            }
        })?;
        Ok(Member { orders, results })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mock::{Script, Tick};

    const SLICE: Slice = Slice { budget_ns: 1, batch: 4, warm: false };

    #[test]
    fn lanes_come_back_in_their_order_and_share_the_inputs() {
        let clock = Tick::default();
        let script = Script::cycle([5]);
        let seen = script.seen();
        let mut lanes: Vec<_> = (0..3).map(|i| Lane::new(script.clone().on(&clock), i, 3)).collect();
        with_team(&clock, 3, |team| {
            team.measure(&mut lanes, SLICE);
            team.measure(&mut lanes, SLICE);
        })
        .unwrap();
        let mut seen = seen.lock().unwrap().clone();
        seen.sort_unstable();
        assert_eq!(seen, (0..24).collect::<Vec<_>>());
        assert!(lanes.iter().all(|lane| lane.samples_ns().len() == 1));
    }

    #[test]
    fn a_failure_on_one_thread_leaves_the_others_alone() {
        let clock = Tick::default();
        let mut lanes = vec![
            Lane::new(Script::cycle([5]).on(&clock), 0, 2),
            Lane::new(Script::cycle([5]).panicking_at(1).on(&clock), 1, 2),
        ];
        with_team(&clock, 2, |team| team.measure(&mut lanes, SLICE)).unwrap();
        assert!(lanes[0].take_failure().is_none());
        assert!(lanes[1].take_failure().is_some());
        assert_eq!((lanes[0].samples_ns().len(), lanes[1].samples_ns().len()), (1, 0));
    }
}
