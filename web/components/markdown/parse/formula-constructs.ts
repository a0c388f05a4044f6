/// <reference types="micromark-extension-math" />
/**
 * Reads formulas in Markdown that micromark's own extension does not: `\( … \)` and `\[ … \]`, as in LaTeX, and `$ … $`
 * by Pandoc's rule, which leaves amounts of money alone. The constructs here make the same tokens as that extension, so
 * code and escapes come first as everywhere else.
 */
import type {
  Code,
  Construct,
  Effects,
  Extension,
  State,
  TokenizeContext,
} from 'micromark-util-types'
import { isBlank, isLineEnding, toCharacter } from './codes.ts'

const [DOLLAR, BACKSLASH, ROUND, ROUND_END, SQUARE, SQUARE_END] = [36, 92, 40, 41, 91, 93] as const

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

/**
 * A dollar that ends a formula: it has no blank before it and no digit after it. If the next dollar does not fit this
 * rule, the text is an amount of money.
 */
const closingDollar: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    const before = toCharacter(this.previous)
    return (dollar) => {
      if (/\s/.test(before)) return nok(dollar)
      effects.enter('mathTextSequence')
      effects.consume(dollar)
      effects.exit('mathTextSequence')
      return (code) => (/[$\d]/.test(toCharacter(code)) ? nok(code) : ok(code))
    }
  },
}

/** Spaces to the end of the line. */
const restOfLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    function space(code: Code): State | undefined {
      if (isBlank(code)) {
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
      if (!isBlank(code)) return end(code)
      effects.enter('whitespace')
      return space(code)
    }
  },
}

/** Whether a line continues a formula: it is not blank, and is in the same list or quotation. */
function goesOn({ parser, now }: TokenizeContext, code: Code): boolean {
  return !isLineEnding(code) && parser.lazy[now().line] !== true
}

/** A formula whose opening bracket or dollar has been read. */
interface Begun {
  kind: keyof typeof TOKENS
  /** The first character of the closing mark. */
  marker: typeof BACKSLASH | typeof DOLLAR
  context: TokenizeContext
  effects: Effects
  close: Construct
  /** The state after `close`. */
  end: State
  nok: State
}

/** Reads a formula from behind its opening bracket or dollar. */
function formula({ kind, marker, context, effects, close, end, nok }: Begun): State {
  const value = TOKENS[kind][2]
  const isFlow = kind === 'flow'
  function between(code: Code): State | undefined {
    if (code === null) return nok(code)
    if (code === marker) return effects.attempt(close, end, marker === DOLLAR ? nok : begin)(code)
    if (!isLineEnding(code)) return begin(code)
    // To decide whether a formula interrupts a paragraph, only this line is checked; the rest is read later.
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
  /** A backslash that does not end the formula escapes the next character: `\\)` is a line break and a bracket. */
  function escape(code: Code): State | undefined {
    effects.consume(code)
    return (next) => {
      if (next === null || isLineEnding(next)) return data(next)
      effects.consume(next)
      return data
    }
  }
  function data(code: Code): State | undefined {
    if (code === null || code === BACKSLASH || code === marker || isLineEnding(code)) {
      effects.exit(value)
      return between(code)
    }
    effects.consume(code)
    return data
  }
  // Empty brackets are no formula: `f\(\)`.
  return (code) => (code === marker ? effects.check(close, nok, between)(code) : between(code))
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
          return formula({ kind, marker: BACKSLASH, context: this, effects, close, end, nok })
        }
      }
    },
  }
}

const dollarMath: Construct = {
  name: 'dollarMath',
  previous(code) {
    return code !== DOLLAR || this.events.at(-1)?.[1].type === 'characterEscape'
  },
  tokenize(effects, ok, nok) {
    const end: State = (code) => {
      effects.exit('mathText')
      return ok(code)
    }
    const rest = { kind: 'text', marker: DOLLAR, close: closingDollar } as const
    const opened = formula({ ...rest, context: this, effects, end, nok })
    return (dollar) => {
      effects.enter('mathText')
      effects.enter('mathTextSequence')
      effects.consume(dollar)
      effects.exit('mathTextSequence')
      return (code) => (/^[\s$]?$/.test(toCharacter(code)) ? nok(code) : opened(code))
    }
  },
}

/**
 * For use beside the extension `math`, which reads formulas between several dollars; mdast-util-math turns the tokens
 * of both into nodes.
 */
export function formulaConstructs(): Extension {
  return {
    flow: { [BACKSLASH]: construct('flow') },
    text: { [BACKSLASH]: construct('text'), [DOLLAR]: dollarMath },
  }
}
