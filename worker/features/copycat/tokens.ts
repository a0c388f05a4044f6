/**
 * Tokenises programs. Comments, white space and includes are dropped. All names are the same kind of token; all numbers are another
 * kind, and all texts a third. So renaming, reformatting or commenting changes no token.
 */
import type { CopyFamily } from '#contract/languages'

/** The tokens of a program. Offsets are UTF-16 units of the text, `ends` exclusive. */
export interface Tokens {
  /** What each token is: a keyword, an operator, or one of `NAME`, `NUMBER`, `TEXT`. */
  kinds: Uint8Array
  starts: Uint32Array
  ends: Uint32Array
}

const NAME = 1
const NUMBER = 2
const TEXT = 3
const OTHER = 4

/**
 * How the code of a family is split into tokens: a sticky pattern with the groups skip, text, number, word, operator in this order,
 * and a number for each keyword and operator. Every alternative may match up to the end of the program, so no text causes backtracking. Any
 * other character is a token by itself.
 */
interface Lexicon {
  pattern: RegExp
  kinds: ReadonlyMap<string, number>
}

/** Numbers the words of a list; `same` gives further spellings of some words. */
function numberWords(words: string, same: Record<string, string> = {}): Map<string, number> {
  const kinds = new Map(words.split(/\s+/).map((word, index) => [word, OTHER + 1 + index]))
  for (const [spelling, word] of Object.entries(same)) kinds.set(spelling, kinds.get(word) ?? OTHER)
  return kinds
}

const SIGNS = '! % & ( ) * + , - . / : ; < = > ? [ ] ^ { | } ~ # @'

/** ISO C23 §6.4 and C++23 [lex]; a number is a pp-number with digit separators. */
const C_PATTERN = new RegExp(
  [
    String.raw`(\s+|\\\r?\n|\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?(?:\*\/|$)|#[ \t]*(?:include|pragma)\b[^\n]*)`,
    String.raw`((?:u8|[uUL])?(?:R"([^()\\\s]{0,16})\([\s\S]*?(?:\)\3"|$)|"(?:[^"\\\n]|\\[\s\S]?)*"?|'(?:[^'\\\n]|\\[\s\S]?)*'?))`,
    String.raw`(\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)`,
    String.raw`([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)`,
    String.raw`(<<=|>>=|<=>|->\*|\.\.\.|::|->|\+\+|--|&&|\|\||<<|>>|##|\.\*|[-+*/%&|^<>=!]=|[\s\S])`,
  ].join('|'),
  'y',
)

const C_KINDS = numberWords(
  `auto break case char const continue default do double else enum extern float for goto if inline int long register
  restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false
  nullptr constexpr class namespace using template typename public private protected virtual override operator new
  delete this throw try catch friend explicit mutable decltype static_cast const_cast dynamic_cast reinterpret_cast
  noexcept static_assert alignas alignof thread_local concept requires co_await co_return co_yield asm final
  <<= >>= <=> ->* ... :: -> ++ -- && || << >> ## .* -= += *= /= %= &= |= ^= <= >= == != ${SIGNS}`,
  { _Bool: 'bool', and: '&&', or: '||', not: '!', not_eq: '!=', xor: '^', bitand: '&', bitor: '|' },
)

/** Python 3.14 language reference §2. */
const PY_PATTERN = new RegExp(
  [
    String.raw`(\s+|\\\r?\n|#[^\n]*)`,
    String.raw`([rRbBuUfFtT]{0,2}()(?:"""(?:[^\\]|\\[\s\S]?)*?(?:"""|$)|'''(?:[^\\]|\\[\s\S]?)*?(?:'''|$)|"(?:[^"\\\n]|\\[\s\S]?)*"?|'(?:[^'\\\n]|\\[\s\S]?)*'?))`,
    String.raw`(\.?\d(?:[eE][+-]|[\w.])*)`,
    String.raw`([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)`,
    String.raw`(\*\*=|\/\/=|<<=|>>=|\.\.\.|->|:=|\*\*|\/\/|<<|>>|[-+*/%&|^<>=!@]=|[\s\S])`,
  ].join('|'),
  'y',
)

const PY_KINDS = numberWords(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield
  **= //= <<= >>= ... -> := ** // << >> -= += *= /= %= &= |= ^= <= >= == != @= ${SIGNS}`,
)

const LEXICONS: Record<CopyFamily, Lexicon> = {
  c: { pattern: C_PATTERN, kinds: C_KINDS },
  py3: { pattern: PY_PATTERN, kinds: PY_KINDS },
}

/** Whether only white space stands before this offset in its line. */
function beginsLine(code: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && (code[before] === ' ' || code[before] === '\t')) before -= 1
  return before < 0 || code[before] === '\n' || code[before] === '\r'
}

/** Whether a text is a Python comment: it has triple quotes and begins its line. */
function isDocString(code: string, text: string, at: number): boolean {
  return /^\w{0,2}("""|''')/.test(text) && beginsLine(code, at)
}

/** Splits any text into tokens, in linear time. */
export function tokenize(code: string, family: CopyFamily): Tokens {
  const { pattern, kinds } = LEXICONS[family]
  const found = new Uint8Array(code.length)
  const starts = new Uint32Array(code.length)
  const ends = new Uint32Array(code.length)
  let count = 0
  pattern.lastIndex = 0
  while (pattern.lastIndex < code.length) {
    const start = pattern.lastIndex
    const match = pattern.exec(code)
    if (!match) break
    const [all, skipped, text, , number, word] = match
    if (skipped !== undefined) continue
    if (text !== undefined && family === 'py3' && isDocString(code, text, start)) continue
    if (text !== undefined) found[count] = TEXT
    else if (number !== undefined) found[count] = NUMBER
    else found[count] = kinds.get(all) ?? (word === undefined ? OTHER : NAME)
    starts[count] = start
    ends[count] = start + all.length
    count += 1
  }
  return {
    kinds: found.slice(0, count),
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
  }
}
