//! The machine that measures, and the state it is in. What can't be told is `None`, never a guess.

mod cache;
mod power;
mod processor;
mod ticks;

use std::fs;
use std::thread;

use serde::{Deserialize, Serialize};
use sysinfo::{Components, CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

pub use cache::Cache;
use ticks::Ticks;

/// What does not change while the machine is up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// The processor's own words of itself.
    pub cpu: Option<String>,
    /// The architecture, such as `x86_64`.
    pub architecture: String,
    /// Those instruction set extensions of the processor that signatures are built on, such as `avx2`.
    pub cpu_features: Vec<String>,
    /// Cores, without their second threads.
    pub physical_cores: Option<u32>,
    /// What the system can run at the same time, of what it lets this process use.
    pub logical_cores: Option<u32>,
    /// Whether cores run two threads or more at the same time.
    #[serde(default)]
    pub smt: Option<bool>,
    /// The base frequency, in MHz, where the system or the processor's name tells it.
    #[serde(default)]
    pub cpu_base_mhz: Option<u64>,
    /// The highest frequency that the system allows, in MHz. Linux only.
    pub cpu_max_mhz: Option<u64>,
    /// Whether the processor may exceed its base frequency. Linux only.
    pub turbo: Option<bool>,
    /// The caches that the first core uses, from the nearest on; empty where the system does not tell.
    #[serde(default)]
    pub caches: Vec<Cache>,
    /// The memory, in bytes.
    pub memory_bytes: Option<u64>,
    /// The operating system with its version.
    pub os: Option<String>,
    /// The kernel's version.
    pub kernel: Option<String>,
    /// The hypervisor that the system runs under, such as `kvm`; null where none shows itself.
    pub virtualization: Option<String>,
    /// Where the kernel takes the time from, such as `tsc`. Linux only.
    pub clock_source: Option<String>,
}

/// What changes, and moves figures when it does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostState {
    /// The mean of the cores' present frequencies, in MHz.
    pub cpu_mhz: Option<u64>,
    /// How the system chooses frequencies, such as `performance`. Linux only.
    pub governor: Option<String>,
    /// The mean number of runnable processes over the last minute, this one included.
    pub load_1min: Option<f64>,
    /// The same over five minutes.
    pub load_5min: Option<f64>,
    /// The same over fifteen minutes.
    pub load_15min: Option<f64>,
    /// The memory that can be had without swapping, in bytes.
    pub memory_available_bytes: Option<u64>,
    /// The time that the hypervisor gave to others while this system had work, since boot, summed over the
    /// cores, in ms: its growth over a trial is time that the figures wrongly carry. Linux only.
    pub cpu_steal_ms: Option<u64>,
    /// The time that the cores had work, since boot, summed over them, in ms. Linux only.
    pub cpu_busy_ms: Option<u64>,
    /// The hottest sensor, in degrees Celsius.
    pub temperature_celsius: Option<f64>,
    /// What the machine runs on, `mains` or `battery`: laptops on battery are slower. Linux and macOS only.
    #[serde(default)]
    pub power_source: Option<String>,
}

impl Host {
    /// Asks the system.
    #[must_use]
    pub fn detect() -> Self {
        let system = system();
        let cpu = system.cpus().first().map(|cpu| cpu.brand().trim().to_owned()).filter(known_text);
        Host {
            smt: processor::smt(&system),
            cpu_base_mhz: processor::base_mhz(cpu.as_deref()),
            cpu,
            architecture: std::env::consts::ARCH.to_owned(),
            cpu_features: processor::features(),
            physical_cores: System::physical_core_count().and_then(|cores| u32::try_from(cores).ok()),
            logical_cores: thread::available_parallelism().ok().and_then(|n| u32::try_from(n.get()).ok()),
            caches: cache::of_first_core(),
            cpu_max_mhz: number("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")
                .map(|khz| khz / 1000),
            turbo: processor::turbo(),
            memory_bytes: known(system.total_memory()),
            os: System::long_os_version().filter(known_text),
            kernel: System::kernel_version().filter(known_text),
            virtualization: processor::virtualization(),
            clock_source: text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        }
    }
}

impl HostState {
    /// Asks the system; on macOS, its command `pmset` too.
    #[must_use]
    pub fn now() -> Self {
        let system = system();
        let load = if cfg!(unix) { Some(System::load_average()) } else { None };
        let ticks = text("/proc/stat").and_then(|stat| Ticks::parse(&stat));
        HostState {
            cpu_mhz: mean_mhz(&system),
            governor: text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            load_1min: load.as_ref().map(|load| load.one),
            load_5min: load.as_ref().map(|load| load.five),
            load_15min: load.as_ref().map(|load| load.fifteen),
            memory_available_bytes: known(system.available_memory()),
            cpu_steal_ms: ticks.as_ref().map(Ticks::steal_ms),
            cpu_busy_ms: ticks.as_ref().map(Ticks::busy_ms),
            temperature_celsius: temperature(),
            power_source: power::source(),
        }
    }
}

fn system() -> System {
    System::new_with_specifics(
        RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing().with_frequency())
            .with_memory(MemoryRefreshKind::nothing().with_ram()),
    )
}

fn mean_mhz(system: &System) -> Option<u64> {
    let cores = u64::try_from(system.cpus().len()).ok()?;
    let sum: u64 = system.cpus().iter().map(sysinfo::Cpu::frequency).sum();
    known(sum.checked_div(cores)?)
}

fn temperature() -> Option<f64> {
    Components::new_with_refreshed_list()
        .list()
        .iter()
        .filter_map(sysinfo::Component::temperature)
        .filter(|celsius| celsius.is_finite())
        .map(f64::from)
        .max_by(f64::total_cmp)
}

fn text(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned()).filter(known_text)
}

fn number(path: &str) -> Option<u64> {
    text(path)?.parse().ok()
}

/// The system crate says 0 where it knows nothing.
fn known(number: u64) -> Option<u64> {
    (number > 0).then_some(number)
}

#[expect(clippy::ptr_arg, reason = "for Option<String>::filter")]
fn known_text(text: &String) -> bool {
    !text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_a_core_and_an_architecture() {
        let host = Host::detect();
        assert!(host.logical_cores.is_some_and(|cores| cores >= 1));
        assert!(!host.architecture.is_empty());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn busy_time_only_grows() {
        let before = HostState::now().cpu_busy_ms;
        let after = HostState::now().cpu_busy_ms;
        assert!(before.is_some() && before <= after, "{before:?} {after:?}");
    }
}
