//! Asks pkg-config where the library is. With PKG_CONFIG_PATH it may be anywhere; VOICEACTIVITY_STATIC=1 links the
//! static one.
use std::process::Command;

fn pkg_config(argument: &str) -> String {
    let answer = Command::new("pkg-config").args([argument, "voiceactivity"]).output();
    match answer {
        Ok(answer) if answer.status.success() => String::from_utf8_lossy(&answer.stdout).trim().to_string(),
        Ok(answer) => {
            panic!("pkg-config does not find voiceactivity: {}", String::from_utf8_lossy(&answer.stderr))
        }
        Err(error) => panic!("pkg-config cannot be started: {error}"),
    }
}

fn main() {
    let is_static = std::env::var("VOICEACTIVITY_STATIC").is_ok_and(|value| value == "1");
    println!("cargo:rustc-link-search=native={}", pkg_config("--variable=libdir"));
    println!("cargo:rustc-link-lib={}=voiceactivity", if is_static { "static" } else { "dylib" });
    println!("cargo:rustc-link-lib=m");
    println!("cargo:rustc-env=VOICEACTIVITY_CFLAGS={}", pkg_config("--cflags"));
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rerun-if-env-changed=VOICEACTIVITY_STATIC");
}
