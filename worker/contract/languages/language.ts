/** What the product must know of a programming language. Each language is one data file beside this one. */

/** How the editor colours and indents; `text` does neither. */
export type EditorMode = 'cpp' | 'python' | 'text'

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
  /** Prints the version in its first line; run on the host when a runner starts. */
  versionArgv: readonly string[]
  /** Ends with 0 and leaves `artefact`, or the submission is a Compile Error with what it printed. */
  compileArgv: readonly string[]
  /** What people are shown instead of a compile command that holds a script. */
  compileText?: string
  artefact: string
  runArgv: readonly string[]
  /** What a problem's time and memory limits are multiplied by; 1 unless a language needs it. */
  timeFactor: number
  memoryFactor: number
  /** A header of the compiler's own that runners precompile to `/tools/include`, with the very flags of `compileArgv`. */
  precompiled?: { compiler: string; flags: readonly string[]; header: string }
  /** Compiled and run once when a runner starts: must end at once with exit code 0. */
  warmUpSource: string
}
