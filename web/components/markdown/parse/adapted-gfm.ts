/** GFM with some of its constructs replaced by our own. */
import { gfm } from 'micromark-extension-gfm'
import type { Construct, ConstructRecord, Extension } from 'micromark-util-types'
import { HTTP_ADDRESS, WWW_ADDRESS } from './bare-address.ts'
import { besideEastAsian } from './east-asian-marks.ts'
import { tableRows } from './table-rows.ts'

const OURS = new Map<string | undefined, (theirs: Construct) => Construct>([
  ['protocolAutolink', () => HTTP_ADDRESS],
  ['wwwAutolink', () => WWW_ADDRESS],
  ['strikethrough', besideEastAsian],
  ['table', tableRows],
])

function adapted(constructs: ConstructRecord = {}): ConstructRecord {
  return Object.fromEntries(
    Object.entries(constructs).map(([code, some = []]) => [
      code,
      [some].flat().map((theirs) => OURS.get(theirs.name)?.(theirs) ?? theirs),
    ]),
  )
}

/** Only two tildes strike a text out, because Chinese writes a single tilde between numbers. */
export function adaptedGfm(): Extension {
  const theirs = gfm({ singleTilde: false })
  return { ...theirs, text: adapted(theirs.text), flow: adapted(theirs.flow) }
}
