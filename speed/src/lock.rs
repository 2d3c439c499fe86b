//! One run at a time: two that measure at once would time one another.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::{Error, Event, Observer};

/// How often a waiting run asks whether it is cancelled.
const PATIENCE: Duration = Duration::from_millis(50);

static QUEUE: Queue = Queue::new();

/// Those who wait, in the order of their coming; the first one has the turn.
struct Queue {
    tickets: Mutex<Tickets>,
    moved: Condvar,
}

struct Tickets {
    waiting: VecDeque<u64>,
    next: u64,
}

/// The turn, or a place in the queue for it. Dropping it gives it up.
pub(crate) struct Turn {
    queue: &'static Queue,
    ticket: u64,
}

impl Turn {
    /// Waits until no other run of this process measures; those who came first go first. Says so once if it
    /// has to wait, and can be cancelled while it does.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn take(observer: &mut dyn Observer) -> Result<Self, Error> {
        QUEUE.take(observer)
    }
}

impl Queue {
    const fn new() -> Self {
        Queue { tickets: Mutex::new(Tickets { waiting: VecDeque::new(), next: 0 }), moved: Condvar::new() }
    }

    fn take(&'static self, observer: &mut dyn Observer) -> Result<Turn, Error> {
        let turn = self.enter();
        if !self.is_first(turn.ticket) {
            observer.event(&Event::Waiting);
        }
        loop {
            let tickets = self.tickets();
            if tickets.waiting.front() == Some(&turn.ticket) {
                return Ok(turn);
            }
            // The lock is let go before the observer's own code runs.
            drop(self.moved.wait_timeout(tickets, PATIENCE));
            if observer.is_cancelled() {
                return Err(Error::Cancelled);
            }
        }
    }

    fn enter(&'static self) -> Turn {
        let mut tickets = self.tickets();
        let ticket = tickets.next;
        tickets.next += 1;
        tickets.waiting.push_back(ticket);
        Turn { queue: self, ticket }
    }

    fn is_first(&self, ticket: u64) -> bool {
        self.tickets().waiting.front() == Some(&ticket)
    }

    /// A thread that panicked while it held the lock left a whole queue behind: each change of it is one
    /// call.
    fn tickets(&self) -> MutexGuard<'_, Tickets> {
        self.tickets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.queue.tickets().waiting.retain(|ticket| *ticket != self.ticket);
        self.queue.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::thread;

    fn leaked() -> &'static Queue {
        Box::leak(Box::new(Queue::new()))
    }

    /// Gives up at once, and remembers whether it had to wait.
    #[derive(Default)]
    struct Impatient {
        waited: bool,
    }

    impl Observer for Impatient {
        fn event(&mut self, event: &Event<'_>) {
            self.waited = matches!(event, Event::Waiting);
        }

        fn is_cancelled(&mut self) -> bool {
            true
        }
    }

    #[test]
    fn a_free_turn_is_taken_without_waiting() {
        let mut observer = Impatient::default();
        assert!(leaked().take(&mut observer).is_ok());
        assert!(!observer.waited);
    }

    #[test]
    fn who_is_cancelled_leaves_the_queue_and_the_next_one_moves_up() {
        let queue = leaked();
        let first = queue.take(&mut ()).unwrap();
        let mut observer = Impatient::default();
        assert!(matches!(queue.take(&mut observer), Err(Error::Cancelled)));
        assert!(observer.waited);
        assert!(queue.is_first(first.ticket), "who left took the holder's place along");
        drop(first);
        assert!(queue.take(&mut Impatient::default()).is_ok());
    }

    #[test]
    fn turns_are_taken_one_at_a_time_in_the_order_of_coming() {
        let queue = leaked();
        let inside = AtomicBool::new(false);
        let served = AtomicU32::new(0);
        let first = queue.take(&mut ()).unwrap();
        thread::scope(|scope| {
            for place in 0..4 {
                // Each one stands in the queue before the next one comes.
                let turn = queue.enter();
                let (inside, served) = (&inside, &served);
                scope.spawn(move || {
                    while !queue.is_first(turn.ticket) {
                        thread::yield_now();
                    }
                    assert!(!inside.swap(true, Ordering::SeqCst));
                    assert_eq!(served.fetch_add(1, Ordering::SeqCst), place);
                    inside.store(false, Ordering::SeqCst);
                    drop(turn);
                });
            }
            drop(first);
        });
        assert_eq!(served.into_inner(), 4);
    }
}
