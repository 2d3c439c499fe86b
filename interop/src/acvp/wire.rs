//! The JSON of NIST's ACVP, field by field (draft-celi-acvp-ml-dsa, draft-celi-acvp-slh-dsa, and the files that NIST
//! publishes). Fields that are not listed are passed over.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Error;

/// A vector set: a prompt, a response, or expected results.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VectorSet<T> {
    pub(super) vs_id: u64,
    pub(super) algorithm: String,
    pub(super) mode: String,
    pub(super) revision: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) is_sample: Option<bool>,
    pub(super) test_groups: Vec<T>,
}

/// A group of a prompt.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PromptGroup {
    pub(super) tg_id: u64,
    pub(super) test_type: Option<String>,
    pub(super) parameter_set: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) deterministic: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) signature_interface: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) pre_hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) external_mu: Option<bool>,
    pub(super) tests: Vec<PromptTest>,
}

/// A case of a prompt. Bytes are hexadecimal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PromptTest {
    pub(super) tc_id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seed: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sk_seed: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sk_prf: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) pk_seed: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) pk: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sk: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    /// In bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message_length: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mu: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rnd: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) additional_randomness: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) context: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) hash_alg: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) signature: Option<String>,
}

/// A group of a response.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResponseGroup<T> {
    pub(super) tg_id: u64,
    pub(super) tests: Vec<T>,
}

/// A case of a response as it is read. The fields with `Sha256` are the pack's own: a digest in place of long bytes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResponseTest {
    pub(super) tc_id: u64,
    pub(super) pk: Option<String>,
    pub(super) pk_sha256: Option<String>,
    pub(super) sk: Option<String>,
    pub(super) sk_sha256: Option<String>,
    pub(super) signature: Option<String>,
    pub(super) signature_sha256: Option<String>,
    pub(super) test_passed: Option<bool>,
}

/// A case of a response as it is written, in NIST's order of fields.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WrittenTest {
    pub(super) tc_id: u64,
    #[serde(flatten)]
    pub(super) answer: WrittenAnswer,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum WrittenAnswer {
    MlDsaKey {
        pk: String,
        sk: String,
    },
    SlhDsaKey {
        sk: String,
        pk: String,
    },
    Signature {
        signature: String,
    },
    #[serde(rename_all = "camelCase")]
    Verdict {
        test_passed: bool,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    acv_version: Value,
}

/// A vector set, with the `acvVersion` of the array around it if it came in one.
pub(super) fn read<T: DeserializeOwned>(json: &[u8]) -> Result<(VectorSet<T>, Option<Value>), Error> {
    // A byte order mark is what some programs of Windows put in front.
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    if json.trim_ascii_start().first() != Some(&b'[') {
        return Ok((serde_json::from_slice(json)?, None));
    }
    let (version, set): (Version, VectorSet<T>) = serde_json::from_slice(json)?;
    Ok((set, Some(version.acv_version)))
}

/// The JSON of a vector set, as NIST lays it out: two blanks of indentation, and no newline at the end. An answer to
/// NIST's prompt is therefore NIST's file of expected results to the byte.
pub(super) fn write<T: Serialize>(set: &VectorSet<T>, acv_version: Option<&Value>) -> Result<Vec<u8>, Error> {
    Ok(match acv_version {
        None => serde_json::to_vec_pretty(set)?,
        Some(version) => serde_json::to_vec_pretty(&(Version { acv_version: version.clone() }, set))?,
    })
}
