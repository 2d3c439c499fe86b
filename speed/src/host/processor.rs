//! What the processor can do, and what it is allowed to.

use sysinfo::System;

use super::{number, text};

/// Whether cores run two threads or more: in Linux's own words, else by the cores' numbers.
pub(super) fn smt(system: &System) -> Option<bool> {
    match text("/sys/devices/system/cpu/smt/active").as_deref() {
        Some("1") => Some(true),
        Some("0") => Some(false),
        _ => more_threads_than_cores(system.cpus().len(), System::physical_core_count()?),
    }
}

/// A system that counts more cores than threads does not know them.
fn more_threads_than_cores(threads: usize, cores: usize) -> Option<bool> {
    (cores > 0 && threads >= cores).then_some(threads > cores)
}

/// In MHz: as a driver of Linux tells it, else as Intel writes it into the processor's name.
pub(super) fn base_mhz(name: Option<&str>) -> Option<u64> {
    let cpu0 = "/sys/devices/system/cpu/cpu0";
    number(&format!("{cpu0}/cpufreq/base_frequency"))
        .map(|khz| khz / 1000)
        .or_else(|| number(&format!("{cpu0}/acpi_cppc/nominal_freq")))
        .filter(|mhz| *mhz > 0)
        .or_else(|| base_mhz_of_name(name?))
}

/// The base frequency that stands at the end of a processor's name, such as `... CPU @ 2.20GHz`.
fn base_mhz_of_name(name: &str) -> Option<u64> {
    let (_, frequency) = name.rsplit_once("@ ")?;
    let (number, mhz_per_unit) = match frequency.trim().strip_suffix("GHz") {
        Some(number) => (number, 1000),
        None => (frequency.trim().strip_suffix("MHz")?, 1),
    };
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let (whole, digits): (u64, u32) = (whole.parse().ok()?, decimals.len().try_into().ok()?);
    let part: u64 = if decimals.is_empty() { 0 } else { decimals.parse().ok()? };
    let part_mhz = part.checked_mul(mhz_per_unit)? / 10u64.checked_pow(digits)?;
    let mhz = whole.checked_mul(mhz_per_unit)?.checked_add(part_mhz)?;
    // What is far from any processor is no frequency.
    (100..10_000).contains(&mhz).then_some(mhz)
}

pub(super) fn turbo() -> Option<bool> {
    match text("/sys/devices/system/cpu/intel_pstate/no_turbo") {
        Some(off) => Some(off == "0"),
        None => text("/sys/devices/system/cpu/cpufreq/boost").map(|on| on == "1"),
    }
}

pub(super) fn virtualization() -> Option<String> {
    text("/sys/hypervisor/type").or_else(hypervisor)
}

/// Hypervisors show themselves in bit 31 of leaf 1's ECX, and sign with twelve letters in leaf 0x4000_0000.
#[cfg(target_arch = "x86_64")]
fn hypervisor() -> Option<String> {
    use std::arch::x86_64::__cpuid;
    if __cpuid(1).ecx >> 31 == 0 {
        return None;
    }
    let leaf = __cpuid(0x4000_0000);
    let letters = [leaf.ebx, leaf.ecx, leaf.edx].map(u32::to_le_bytes).concat();
    let signature = String::from_utf8_lossy(&letters).trim_end_matches('\0').to_owned();
    Some(match signature.as_str() {
        "KVMKVMKVM" => "kvm".to_owned(),
        "Microsoft Hv" => "hyper-v".to_owned(),
        "VMwareVMware" => "vmware".to_owned(),
        "XenVMMXenVMM" => "xen".to_owned(),
        "TCGTCGTCGTCG" => "qemu".to_owned(),
        "" => "unnamed".to_owned(),
        other => other.to_owned(),
    })
}

#[cfg(not(target_arch = "x86_64"))]
fn hypervisor() -> Option<String> {
    None
}

#[cfg(target_arch = "x86_64")]
pub(super) fn features() -> Vec<String> {
    macro_rules! detected {
        ($($feature:tt),*) => {
            [$(($feature, std::arch::is_x86_feature_detected!($feature))),*]
        };
    }
    let known = detected!(
        "sse4.1",
        "avx",
        "avx2",
        "bmi2",
        "adx",
        "aes",
        "sha",
        "avx512f",
        "avx512ifma",
        "avx512vbmi"
    );
    known.iter().filter(|(_, present)| *present).map(|(name, _)| (*name).to_owned()).collect()
}

#[cfg(target_arch = "aarch64")]
pub(super) fn features() -> Vec<String> {
    macro_rules! detected {
        ($($feature:tt),*) => {
            [$(($feature, std::arch::is_aarch64_feature_detected!($feature))),*]
        };
    }
    let known = detected!("neon", "aes", "sha2", "sha3", "sve", "sve2");
    known.iter().filter(|(_, present)| *present).map(|(name, _)| (*name).to_owned()).collect()
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn features() -> Vec<String> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_frequency_stands_in_some_names() {
        let of = base_mhz_of_name;
        assert_eq!(of("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz"), Some(2400));
        assert_eq!(of("Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz"), Some(1900));
        assert_eq!(of("Intel(R) Celeron(R) processor @ 800MHz"), Some(800));
        assert_eq!(of("a processor @ 3GHz "), Some(3000));
        let without = ["", "AMD EPYC 7763 64-Core Processor", "Apple M2", "x @ ", "x @ GHz", "x @ -2GHz"];
        let nonsense = ["x @ 2.4.1GHz", "x @ 2.-4GHz", "x @ 0.00GHz", "x @ 99999999999999999999GHz"];
        let endless = "x @ 2.000000000000000000000000000001GHz";
        for name in without.into_iter().chain(nonsense).chain([endless]) {
            assert_eq!(of(name), None, "{name}");
        }
    }

    #[test]
    fn more_threads_than_cores_are_smt() {
        assert_eq!(more_threads_than_cores(16, 8), Some(true));
        assert_eq!(more_threads_than_cores(8, 8), Some(false));
        assert_eq!(more_threads_than_cores(4, 8), None);
        assert_eq!(more_threads_than_cores(4, 0), None);
    }
}
