/** The description of a programming language. Each language is one data file beside this one. */

/** Files of the host that programs of a language need at run time. Missing files are left out. */
export interface Runtime {
  /** Shared libraries by name, as `ldconfig -p` lists them. */
  libraries: readonly string[]
  /** Further paths. `/*` at the end stands for every file of the directory. */
  paths: readonly string[]
  /**
   * A command, run on the host, that prints one path a line: directories, programs, libraries (known by
   * their name).
   */
  argv?: readonly string[]
}

/**
 * Files for every program linked against the C library: the loader under both names, and the parts of the
 * library.
 */
export const C_RUNTIME = {
  libraries: [
    'libc.so.6',
    'libm.so.6',
    'libmvec.so.1',
    // The C library loads this library when a thread is cancelled.
    'libgcc_s.so.1',
  ],
  paths: [
    '/lib64/ld-linux-x86-64.so.2',
    '/lib/ld-linux-aarch64.so.1',
    '/usr/lib/locale/C.utf8/*',
    '/usr/lib/locale/C.utf8/LC_MESSAGES/*',
  ],
} as const satisfies Runtime

/**
 * A language. Commands run inside the box: absolute paths, the source in the working directory, the
 * compiled program (`artefact`) read-only at `/box/<artefact>`.
 */
export interface LanguageData {
  /** Code on the wire and in the database: never reused, and the position in the table. */
  code: number
  /** Short name, between Worker and runner, in drafts and in fixtures. */
  id: string
  /** Name for people. */
  label: string
  /** The bit in a problem's `allowedLanguage`. */
  mask: number
  /** Name of the source file. */
  file: string
  /** File endings of this language, without the dot. */
  fileEndings: readonly string[]
  /** Further names in Markdown, after the fence of a code block. */
  fenceNames?: readonly string[]
  /** The language's grammar in `web/lib/text/grammars.ts`. */
  editor: string
  /** Copy detection compares programs of the same family; `worker/features/copycat/tokens.ts` has each family's tokens. */
  copyFamily: string
  /** The characters that begin a comment up to the end of the line. */
  comment: string
  /** What programs call their standard input and output. */
  streams: { input: string; output: string }
  /** The Debian packages that its tools come from. */
  packages: readonly string[]
  /** Prints the version as its first line; runs on the host when a runner starts. */
  versionArgv: readonly [program: string, ...args: string[]]
  /** The command exits with 0 and writes `artefact`. Otherwise the submission is a Compile Error with the command's output. */
  compileArgv: readonly string[]
  /** Shown instead of a compile command that holds a script. */
  compileText?: string
  artefact: string
  runArgv: readonly string[]
  /** Finds in standard error the name of the exception that ended a program; absent if the language prints none. */
  exception?: RegExp
  /** All that a program sees of the host: nothing else of `/usr`, no compiler, no other language. */
  runtime: Runtime
  /** Factor for a problem's time and memory limits; usually 1. */
  timeFactor: number
  memoryFactor: number
  /** Headers that runners precompile to `/tools/include`, with the flags of `compileArgv`. A source uses the first one it includes. */
  precompiled?: { compiler: string; flags: readonly string[]; headers: readonly string[] }
  /** A program that is compiled and run once when a runner starts. Must exit with 0 at once. */
  warmUpSource: string
}
