/** What the product must know of a programming language. Each language is one data file beside this one. */

/** How the editor colours and indents; `text` does neither. */
export type EditorMode = 'cpp' | 'python' | 'text'

/** Languages whose programs copy detection compares with each other; a new one needs its tokens in `features/copycat/tokens.ts`. */
export const COPY_FAMILIES = ['c', 'py3'] as const
export type CopyFamily = (typeof COPY_FAMILIES)[number]

/** What programs of a language need of the host at run time. What a host does not have is left out. */
export interface Runtime {
  /** Shared libraries by name, as `ldconfig -p` lists them. */
  libraries: readonly string[]
  /** Further paths. One that ends in `/*` stands for each file of a directory: what is asked for there and missing stays in the box. */
  paths: readonly string[]
  /** Prints one path a line, run on the host: directories, programs, and any file of a library, which is then known by its name. */
  argv?: readonly string[]
}

/** What every program that is linked against the C library needs: the loader under both names, and the parts of the library. */
export const C_RUNTIME = {
  libraries: [
    'libc.so.6',
    'libm.so.6',
    'libmvec.so.1',
    // Loaded by the C library itself when a thread is cancelled.
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
 * A language. All argv run inside the box: absolute paths, the source in the working directory, the compiled
 * program (`artefact`) read-only at `/box/<artefact>`.
 */
export interface LanguageData {
  /** Wire code, stored with every submission: never reused, and the position in the table. */
  code: number
  /** Short name between Worker and runner, in drafts and in fixtures. */
  id: string
  /** What people read. */
  label: string
  /** The bit in a problem's `allowedLanguage`. */
  mask: number
  /** Name of the source file. */
  file: string
  /** Endings of files that are taken for this language, without the dot. */
  fileEndings: readonly string[]
  editor: EditorMode
  copyFamily: CopyFamily
  /** Prints the version in its first line; run on the host when a runner starts. */
  versionArgv: readonly string[]
  /** Ends with 0 and leaves `artefact`, or the submission is a Compile Error with what it printed. */
  compileArgv: readonly string[]
  /** What people are shown instead of a compile command that holds a script. */
  compileText?: string
  artefact: string
  runArgv: readonly string[]
  /** All that a program sees of the host when it runs: nothing else of `/usr` is there, no compiler and no other language. */
  runtime: Runtime
  /** What a problem's time and memory limits are multiplied by; 1 unless a language needs it. */
  timeFactor: number
  memoryFactor: number
  /** A header of the compiler's own that runners precompile to `/tools/include`, with the very flags of `compileArgv`. */
  precompiled?: { compiler: string; flags: readonly string[]; header: string }
  /** Compiled and run once when a runner starts: must end at once with exit code 0. */
  warmUpSource: string
}
