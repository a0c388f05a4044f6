/// <reference types="micromark-extension-math" />
/**
 * `\( … \)` and `\[ … \]` in Markdown, as LaTeX writes formulas. micromark's own extension knows dollars only; this gives it two
 * more constructs that make the same tokens, so code and escapes come first as everywhere else.
 */
import type {
  Code,
  Construct,
  Effects,
  Extension,
  State,
  TokenizeContext,
} from 'micromark-util-types'

const [BACKSLASH, ROUND, ROUND_END, SQUARE, SQUARE_END] = [92, 40, 41, 91, 93] as const

/** micromark's codes: line endings are below −2, a tab is −2, its further columns −1. */
function isLineEnding(code: Code): boolean {
  return code !== null && code < -2
}

function isSpace(code: Code): boolean {
  return code === 32 || code === -1 || code === -2
}

const TOKENS = {
  text: ['mathText', 'mathTextSequence', 'mathTextData'],
  flow: ['mathFlow', 'mathFlowFence', 'mathFlowValue'],
} as const

type Fence = (typeof TOKENS)[keyof typeof TOKENS][1]

/** The backslash and the bracket that end a formula. */
function closingBracket(fence: Fence, bracket: Code): Construct {
  return {
    partial: true,
    tokenize: (effects, ok, nok) => (backslash) => {
      effects.enter(fence)
      effects.consume(backslash)
      return (code) => {
        if (code !== bracket) return nok(code)
        effects.consume(code)
        effects.exit(fence)
        return ok
      }
    },
  }
}

/** Spaces to the end of the line. */
const restOfLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    function space(code: Code): State | undefined {
      if (isSpace(code)) {
        effects.consume(code)
        return space
      }
      effects.exit('whitespace')
      return end(code)
    }
    function end(code: Code): State | undefined {
      return code === null || isLineEnding(code) ? ok(code) : nok(code)
    }
    return (code) => {
      if (!isSpace(code)) return end(code)
      effects.enter('whitespace')
      return space(code)
    }
  },
}

/** Whether a line goes on with what began before it: it is not blank, nor outside of its list or quotation. */
function goesOn({ parser, now }: TokenizeContext, code: Code): boolean {
  return !isLineEnding(code) && parser.lazy[now().line] !== true
}

/** A formula whose opening bracket has been read. */
interface Begun {
  kind: keyof typeof TOKENS
  context: TokenizeContext
  effects: Effects
  close: Construct
  /** After the closing bracket. */
  end: State
  nok: State
}

/** What comes after the opening bracket. */
function formula({ kind, context, effects, close, end, nok }: Begun): State {
  const value = TOKENS[kind][2]
  const isFlow = kind === 'flow'
  function between(code: Code): State | undefined {
    if (code === null) return nok(code)
    if (code === BACKSLASH) return effects.attempt(close, end, begin)(code)
    if (!isLineEnding(code)) return begin(code)
    // Whether it ends is seen where the paragraph before it has ended.
    if (isFlow && context.interrupt) return end(code)
    effects.enter('lineEnding')
    effects.consume(code)
    effects.exit('lineEnding')
    return (next) => (isFlow && !goesOn(context, next) ? nok(next) : between(next))
  }
  function begin(code: Code): State | undefined {
    effects.enter(value)
    return code === BACKSLASH ? escape(code) : data(code)
  }
  /** A backslash that ends nothing takes the next letter along: `\\)` is a line break and a bracket. */
  function escape(code: Code): State | undefined {
    effects.consume(code)
    return (next) => {
      if (next === null || isLineEnding(next)) return data(next)
      effects.consume(next)
      return data
    }
  }
  function data(code: Code): State | undefined {
    if (code === null || code === BACKSLASH || isLineEnding(code)) {
      effects.exit(value)
      return between(code)
    }
    effects.consume(code)
    return data
  }
  // An empty one is no formula: `f\(\)`.
  return (code) => (code === BACKSLASH ? effects.check(close, nok, between)(code) : between(code))
}

/** @param kind `flow`: display math on lines of its own; `text`: within a paragraph, also over its lines */
function construct(kind: keyof typeof TOKENS): Construct {
  const [whole, fence] = TOKENS[kind]
  const isFlow = kind === 'flow'
  return {
    name: `bracketMath-${kind}`,
    concrete: isFlow,
    tokenize(effects, ok, nok) {
      const finish: State = (code) => {
        effects.exit(whole)
        return ok(code)
      }
      const end: State = isFlow ? effects.attempt(restOfLine, finish, nok) : finish
      return (backslash) => {
        effects.enter(whole)
        effects.enter(fence)
        effects.consume(backslash)
        return (bracket) => {
          if (bracket !== SQUARE && (isFlow || bracket !== ROUND)) return nok(bracket)
          effects.consume(bracket)
          effects.exit(fence)
          const close = closingBracket(fence, bracket === SQUARE ? SQUARE_END : ROUND_END)
          return formula({ kind, context: this, effects, close, end, nok })
        }
      }
    },
  }
}

/** Beside `math`, whose tokens become nodes by mdast-util-math. */
export function bracketMath(): Extension {
  return { flow: { [BACKSLASH]: construct('flow') }, text: { [BACKSLASH]: construct('text') } }
}
