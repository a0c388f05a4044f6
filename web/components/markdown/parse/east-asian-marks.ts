/**
 * Makes `**注意：**請` bold and strikes out `~~不。~~要`. CommonMark alone refuses both beside full-width characters, because
 * its rules rely on blanks between words, which Chinese and Japanese do not write. The rules are those of
 * https://github.com/tats-u/markdown-cjk-friendly.
 */
import { attention } from 'micromark-core-commonmark'
import type { Code, Construct, Extension } from 'micromark-util-types'
import { toCharacter } from './codes.ts'

/**
 * Letters and punctuation of Chinese, Japanese and Korean, and full-width characters. Characters below U+1100 never
 * count, although these scripts use some of them, too.
 */
const EAST_ASIAN =
  /(?![\0-\u10ff])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\uff01-\uffee]/u

function isSpace(code: Code): boolean {
  return /^\s?$/.test(toCharacter(code))
}

/** Lets the marks of a construct, such as `**`, also begin and end beside East Asian letters and punctuation. */
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

/** Replaces CommonMark's construct for emphasis with `*`. */
export function eastAsianStars(): Extension {
  return { text: { 42: besideEastAsian(attention) } }
}
