/**
 * `**注意：**請` is bold and `~~不。~~要` struck out, which CommonMark refuses beside full-width signs: its rules ask for the
 * blanks between words that Chinese and Japanese do not have. As https://github.com/tats-u/markdown-cjk-friendly specifies.
 */
import { attention } from 'micromark-core-commonmark'
import type { Code, Construct, Extension } from 'micromark-util-types'
import { toCharacter } from './codes.ts'

/** Letters and signs of Chinese, Japanese and Korean, and full-width ones. Some signs below U+1100 are theirs, too. */
const EAST_ASIAN =
  /(?![\0-\u10ff])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\uff01-\uffee]/u

function isSpace(code: Code): boolean {
  return /^\s?$/.test(toCharacter(code))
}

/** A construct whose marks also begin and end beside East Asian letters and signs. */
export function besideEastAsian(construct: Construct): Construct {
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      const before = this.previous
      return construct.tokenize.call(
        this,
        effects,
        (after) => {
          const marks = this.events.at(-1)?.[1]
          if (marks && [before, after].some((code) => EAST_ASIAN.test(toCharacter(code)))) {
            marks._open ||= !isSpace(after)
            marks._close ||= !isSpace(before)
          }
          return ok(after)
        },
        nok,
      )
    },
  }
}

/** Replaces CommonMark's stars of emphasis. */
export function eastAsianStars(): Extension {
  return { text: { 42: besideEastAsian(attention) } }
}
