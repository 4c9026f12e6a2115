//! Compiles the C library, which is in `core/` or, in the repository, in CSupport/CVoiceActivity. The feature `system`
//! links an installed one instead, which pkg-config finds; VOICEACTIVITY_STATIC=1 links its static library.
//!
//! CC, CFLAGS and AR are heeded, also with the names TARGET_CC and CC_aarch64_unknown_linux_gnu. Debug builds optimise the
//! library too: nobody steps through it, and without it takes twenty times as long.
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{exit, Command};

fn fail(sentence: &str) -> ! {
    eprintln!("voiceactivity: {sentence}");
    exit(1)
}

fn run(command: &mut Command) -> String {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_string(),
        Ok(output) => fail(&format!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr))),
        Err(error) => {
            fail(&format!("{name} cannot be started ({error}); install it, or name another in CC or AR"))
        }
    }
}

/// A variable as it is named for the target, for targets in general, or plainly.
fn variable(name: &str) -> Option<String> {
    let target = env::var("TARGET").unwrap();
    [
        format!("{name}_{target}"),
        format!("{name}_{}", target.replace('-', "_")),
        format!("TARGET_{name}"),
        name.into(),
    ]
    .iter()
    .find_map(|name| {
        println!("cargo:rerun-if-env-changed={name}");
        env::var(name).ok()
    })
}

/// Debian's name of a tool for the target: aarch64-linux-gnu-gcc.
fn tool(variable_name: &str, native: &str, cross: &str) -> Vec<String> {
    let (target, host) = (env::var("TARGET").unwrap(), env::var("HOST").unwrap());
    let default =
        if target == host { native.into() } else { format!("{}-{cross}", target.replace("-unknown", "")) };
    let words = variable(variable_name).unwrap_or(default);
    words.split_whitespace().map(String::from).collect()
}

fn command(tool: &[String]) -> Command {
    let (program, arguments) = tool.split_first().unwrap_or_else(|| fail("CC or AR is empty"));
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

fn compile() -> PathBuf {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let (mut core, mut flags) = (here.join("core"), here.join("core/flags"));
    if !core.is_dir() {
        core = here.join("../../CSupport/CVoiceActivity");
        flags = here.join("../../CSupport/libvoiceactivity/Makefile");
    }
    println!("cargo:rerun-if-changed={}", core.display());
    println!("cargo:rerun-if-changed={}", flags.display());
    if env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|name| name == "msvc") {
        fail("the library needs the vector extensions of gcc and clang; build for a target with gnu or llvm in its name");
    }
    // The library's makefile owns the flags that it needs; the crate has its line.
    let text =
        fs::read_to_string(&flags).unwrap_or_else(|error| fail(&format!("{}: {error}", flags.display())));
    let Some(line) = text.lines().find_map(|line| line.strip_prefix("FLAGS := ")) else {
        fail(&format!("{} states no FLAGS", flags.display()));
    };
    let level = match env::var("OPT_LEVEL").unwrap().as_str() {
        "0" => "2".to_string(),
        "z" => "s".to_string(), // gcc 12's -Oz is -Os
        level => level.to_string(),
    };
    let mut compiler = tool("CC", "cc", "gcc");
    compiler.extend([format!("-O{level}"), format!("-I{}", core.join("include").display())]);
    if env::var("DEBUG").is_ok_and(|wanted| wanted == "true") {
        compiler.push("-g".into());
    }
    let given = variable("CFLAGS").unwrap_or_default();
    compiler.extend(given.split_whitespace().chain(line.split_whitespace()).map(String::from)); // the last one counts

    let folder = PathBuf::from(env::var("OUT_DIR").unwrap());
    let mut sources: Vec<PathBuf> = fs::read_dir(&core)
        .unwrap_or_else(|error| fail(&format!("{}: {error}", core.display())))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort(); // so that the same sources give the same library
    let object = |source: &Path| folder.join(source.file_stem().unwrap()).with_extension("o");
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1_usize);
    std::thread::scope(|scope| {
        for part in sources.chunks(sources.len().div_ceil(jobs)) {
            let (compiler, object) = (&compiler, &object);
            scope.spawn(move || {
                for source in part {
                    run(command(compiler).arg("-c").arg(source).arg("-o").arg(object(source)));
                }
            });
        }
    });
    let library = folder.join("libvoiceactivity.a");
    let _ = fs::remove_file(&library);
    run(command(&tool("AR", "ar", "ar"))
        .arg("crs")
        .arg(library)
        .args(sources.iter().map(|source| object(source))));
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static=voiceactivity");
    core.join("include")
}

fn installed() -> PathBuf {
    let program = env::var_os("PKG_CONFIG").unwrap_or("pkg-config".into());
    let pkg_config = |argument| run(Command::new(&program).args([argument, "voiceactivity"]));
    let is_static = env::var("VOICEACTIVITY_STATIC").is_ok_and(|value| value == "1");
    println!("cargo:rustc-link-search=native={}", pkg_config("--variable=libdir"));
    println!("cargo:rustc-link-lib={}=voiceactivity", if is_static { "static" } else { "dylib" });
    println!("cargo:rerun-if-env-changed=PKG_CONFIG");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rerun-if-env-changed=VOICEACTIVITY_STATIC");
    pkg_config("--variable=includedir").into()
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let include = if env::var_os("CARGO_FEATURE_SYSTEM").is_some() { installed() } else { compile() };
    if env::var_os("CARGO_CFG_UNIX").is_some() {
        println!("cargo:rustc-link-lib=m");
    }
    println!("cargo:include={}", include.display()); // DEP_VOICEACTIVITY_INCLUDE in dependents
    println!("cargo:rustc-env=VOICEACTIVITY_INCLUDE={}", include.display());
    println!("cargo:rustc-env=VOICEACTIVITY_CC={}", tool("CC", "cc", "gcc").join(" "));
}
