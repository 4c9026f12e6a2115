//! Asks pkg-config where the library is. With PKG_CONFIG_PATH it may be anywhere.
use std::process::Command;

fn main() {
    let pkg_config = std::env::var_os("PKG_CONFIG").unwrap_or("pkg-config".into());
    let answer = Command::new(pkg_config).args(["--variable=libdir", "videopause"]).output();
    let folder = match answer {
        Ok(answer) if answer.status.success() => String::from_utf8_lossy(&answer.stdout).trim().to_string(),
        Ok(answer) => {
            panic!("pkg-config does not find videopause: {}", String::from_utf8_lossy(&answer.stderr))
        }
        Err(error) => panic!("pkg-config cannot be started: {error}"),
    };
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-link-lib=dylib=videopause");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
}
