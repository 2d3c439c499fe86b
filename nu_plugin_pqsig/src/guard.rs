//! What every command runs behind. A panic becomes an error, and the plugin lives on; Ctrl-C is answered within a
//! second, even amid a library call that nothing can interrupt.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use nu_plugin::{EngineInterface, EvaluatedCall, PluginCommand};
use nu_protocol::{Example, Handler, LabeledError, PipelineData, SignalAction, Signature, Span};

use crate::PqsigPlugin;
use crate::call::{Call, Stop};
use crate::command::Command;
use crate::errors;

/// How long a command may take to stop by itself: it should close its log. Past this it is given up; its thread
/// ends at its next look at [`Stop`].
const GRACE: Duration = Duration::from_millis(600);

/// A command as Nushell's plugin library wants it.
pub(crate) struct Guarded<C>(pub(crate) C);

impl<C: Command> PluginCommand for Guarded<C> {
    type Plugin = PqsigPlugin;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn signature(&self) -> Signature {
        self.0.signature()
    }

    fn description(&self) -> &str {
        self.0.description()
    }

    fn extra_description(&self) -> &str {
        self.0.extra_description()
    }

    fn search_terms(&self) -> Vec<&str> {
        self.0.search_terms()
    }

    fn examples(&self) -> Vec<Example<'_>> {
        self.0.examples()
    }

    fn run(
        &self,
        _plugin: &PqsigPlugin,
        engine: &EngineInterface,
        evaluated: &EvaluatedCall,
        input: PipelineData,
    ) -> Result<PipelineData, LabeledError> {
        let (command, head) = (self.0, evaluated.head);
        let supervisor = Supervisor::new();
        let _handler = engine.register_signal_handler(supervisor.on_signal())?;
        // A signal that came before the handler was there.
        engine.signals().check(&head)?;

        let call = Call::new(engine.clone(), evaluated.clone(), supervisor.stop.clone());
        supervisor.supervise(command.name(), head, move || command.run(&call, input))
    }
}

type Answer = Result<PipelineData, LabeledError>;

enum Event {
    Finished(thread::Result<Answer>),
    Interrupted,
}

/// Waits for a command's answer, or for Ctrl-C.
struct Supervisor {
    stop: Stop,
    events: Sender<Event>,
    inbox: Receiver<Event>,
}

impl Supervisor {
    fn new() -> Self {
        let (events, inbox) = mpsc::channel();
        Supervisor { stop: Stop::default(), events, inbox }
    }

    fn on_signal(&self) -> Handler {
        let (stop, events) = (self.stop.clone(), self.events.clone());
        Box::new(move |action| {
            if action == SignalAction::Interrupt {
                stop.set();
                // The receiver is gone when the call has just ended: then there is nothing to stop.
                let _ = events.send(Event::Interrupted);
            }
        })
    }

    fn supervise(&self, name: &str, head: Span, work: impl FnOnce() -> Answer + Send + 'static) -> Answer {
        let events = self.events.clone();
        let work = move || {
            let result = catch_unwind(AssertUnwindSafe(work));
            let _ = events.send(Event::Finished(result));
        };
        thread::Builder::new()
            .name(name.to_owned())
            .spawn(work)
            .map_err(|error| errors::panicked(&format!("no thread: {error}"), head))?;
        self.wait(head)
    }

    fn wait(&self, head: Span) -> Answer {
        let mut deadline: Option<Instant> = None;
        loop {
            let event = match deadline {
                None => self.inbox.recv().map_err(RecvTimeoutError::from),
                Some(deadline) => self.inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(Event::Finished(Ok(answer))) => return answer,
                Ok(Event::Finished(Err(panic))) => return Err(errors::panicked(message(&*panic), head)),
                Ok(Event::Interrupted) => deadline = deadline.or(Some(Instant::now() + GRACE)),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    self.stop.give_up();
                    return Err(errors::interrupted(head));
                }
            }
        }
    }
}

/// What a panic said.
fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: Span = Span { start: 1, end: 2 };

    #[test]
    fn an_answer_comes_through() {
        let answer = Supervisor::new().supervise("test", HEAD, || Ok(PipelineData::empty()));
        assert!(answer.unwrap().is_nothing());
    }

    #[test]
    fn a_panic_becomes_an_error_at_the_command() {
        for number in [3, 4] {
            let answer = Supervisor::new().supervise("test", HEAD, move || panic!("boom {number}"));
            let error = answer.unwrap_err();
            assert_eq!(error.code.as_deref(), Some("pqsig::panic"));
            assert!(error.msg.contains(&format!("boom {number}")), "{error}");
            assert_eq!(error.labels[0].span, HEAD);
        }
    }

    #[test]
    fn a_command_that_stops_by_itself_has_the_last_word() {
        let supervisor = Supervisor::new();
        let (signal, stop) = (supervisor.on_signal(), supervisor.stop.clone());
        let answer = supervisor.supervise("test", HEAD, move || {
            signal(SignalAction::Interrupt);
            assert!(stop.is_set());
            Err(errors::misuse("test", "stopped in good order", "", HEAD))
        });
        assert!(answer.unwrap_err().msg.contains("in good order"));
    }

    #[test]
    fn a_command_that_does_not_stop_is_given_up() {
        let supervisor = Supervisor::new();
        let signal = supervisor.on_signal();
        let answer = supervisor.supervise("test", HEAD, move || {
            signal(SignalAction::Interrupt);
            thread::sleep(Duration::from_mins(1));
            Ok(PipelineData::empty())
        });
        // Whoever waits for the command gets its answer instead.
        assert_eq!(answer.unwrap_err().msg, errors::interrupted(HEAD).msg);
    }

    #[test]
    fn a_reset_is_no_interrupt() {
        let supervisor = Supervisor::new();
        supervisor.on_signal()(SignalAction::Reset);
        assert!(!supervisor.stop.is_set());
    }
}
