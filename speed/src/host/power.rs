//! What the machine runs on.

use std::fs;
use std::process::Command;

use super::text;

const MAINS: &str = "mains";
const BATTERY: &str = "battery";

/// `mains` or `battery`, where the system tells.
pub(super) fn source() -> Option<String> {
    let source = if cfg!(target_os = "macos") { of_macos() } else { of_linux() };
    source.map(str::to_owned)
}

fn of_linux() -> Option<&'static str> {
    let folders = fs::read_dir("/sys/class/power_supply").ok()?;
    let supplies = folders.flatten().filter_map(|folder| {
        let file = |name| text(folder.path().join(name).to_str()?);
        Some(Supply {
            kind: file("type")?,
            scope: file("scope"),
            online: file("online"),
            status: file("status"),
        })
    });
    of_supplies(&supplies.collect::<Vec<_>>())
}

/// The texts of a power supply's files. Documented in Linux under ABI/testing/sysfs-class-power.
#[derive(Clone, Debug)]
struct Supply {
    /// `Mains`, `USB`, `Battery`, `UPS`...
    kind: String,
    /// `Device` for the battery of something plugged in, such as a mouse.
    scope: Option<String>,
    /// Of what brings power from outside: `0` if it does not at present.
    online: Option<String>,
    /// Of batteries: `Charging`, `Discharging`, `Not charging`, `Full`, `Unknown`.
    status: Option<String>,
}

impl Supply {
    fn is_battery(&self) -> bool {
        matches!(self.kind.as_str(), "Battery" | "UPS")
    }
}

/// A machine that lists no supply may be anything: a desktop computer, or a virtual machine on a laptop.
fn of_supplies(supplies: &[Supply]) -> Option<&'static str> {
    let of_machine = || supplies.iter().filter(|supply| supply.scope.as_deref() != Some("Device"));
    // `online` is 1 or, for some that adapt their voltage, 2.
    let plugged_in = |supply: &Supply| supply.online.as_deref().is_some_and(|online| online != "0");
    if of_machine().any(|supply| !supply.is_battery() && plugged_in(supply)) {
        return Some(MAINS);
    }
    let statuses: Vec<_> =
        of_machine().filter(|s| s.is_battery()).filter_map(|s| s.status.as_deref()).collect();
    if statuses.contains(&"Discharging") {
        return Some(BATTERY);
    }
    // A battery that takes power, or is full and gives none, is not what the machine runs on.
    statuses.iter().any(|status| matches!(*status, "Charging" | "Full")).then_some(MAINS)
}

fn of_macos() -> Option<&'static str> {
    let output = Command::new("/usr/bin/pmset").args(["-g", "batt"]).output().ok()?;
    of_pmset(&String::from_utf8_lossy(&output.stdout))
}

/// The first line that `pmset -g batt` prints: `Now drawing from 'AC Power'` (man pmset).
fn of_pmset(output: &str) -> Option<&'static str> {
    let quoted = output.lines().next()?.split('\'').nth(1)?;
    match quoted {
        "AC Power" => Some(MAINS),
        "Battery Power" | "UPS Power" => Some(BATTERY),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mains(online: &str) -> Supply {
        Supply { kind: "Mains".to_owned(), scope: None, online: Some(online.to_owned()), status: None }
    }

    fn battery(status: &str) -> Supply {
        Supply { kind: "Battery".to_owned(), scope: None, online: None, status: Some(status.to_owned()) }
    }

    fn usb(online: &str) -> Supply {
        Supply { kind: "USB".to_owned(), ..mains(online) }
    }

    #[test]
    fn a_laptop_runs_on_what_is_plugged_in_or_on_its_battery() {
        assert_eq!(of_supplies(&[mains("1"), battery("Charging")]), Some(MAINS));
        assert_eq!(of_supplies(&[battery("Full"), mains("1")]), Some(MAINS));
        assert_eq!(of_supplies(&[battery("Discharging"), mains("0")]), Some(BATTERY));
        assert_eq!(of_supplies(&[mains("0"), usb("1"), battery("Not charging")]), Some(MAINS));
        assert_eq!(of_supplies(&[mains("0"), usb("2"), battery("Charging")]), Some(MAINS));
        // Two batteries, of which one is used up before the other.
        assert_eq!(of_supplies(&[battery("Unknown"), battery("Discharging")]), Some(BATTERY));
        assert_eq!(of_supplies(&[battery("Full")]), Some(MAINS));
    }

    #[test]
    fn the_battery_of_a_mouse_is_not_the_machines() {
        let mouse = Supply { scope: Some("Device".to_owned()), ..battery("Discharging") };
        assert_eq!(of_supplies(std::slice::from_ref(&mouse)), None);
        assert_eq!(of_supplies(&[mouse, mains("1")]), Some(MAINS));
    }

    #[test]
    fn a_server_behind_a_ups_runs_on_its_battery_when_that_discharges() {
        let ups = Supply { kind: "UPS".to_owned(), ..battery("Discharging") };
        assert_eq!(of_supplies(&[ups]), Some(BATTERY));
    }

    #[test]
    fn what_is_not_told_is_unknown() {
        assert_eq!(of_supplies(&[]), None);
        assert_eq!(of_supplies(&[mains("0")]), None);
        assert_eq!(of_supplies(&[battery("Unknown")]), None);
    }

    #[test]
    fn pmset_names_what_is_drawn_from() {
        let on_mains =
            "Now drawing from 'AC Power'\n -InternalBattery-0 (id=4653155)\t98%; charged; 0:00 remaining\n";
        assert_eq!(of_pmset(on_mains), Some(MAINS));
        assert_eq!(of_pmset("Now drawing from 'Battery Power'\n"), Some(BATTERY));
        assert_eq!(of_pmset("Now drawing from 'UPS Power'\n"), Some(BATTERY));
        for other in ["", "No batteries.\n", "Now drawing from 'Solar Power'\n", "'"] {
            assert_eq!(of_pmset(other), None, "{other}");
        }
    }
}
