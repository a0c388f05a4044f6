import { ActionIcon } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ignoresCase, type ShownCompareMode } from '#contract/problems/compare'
import { KEPT_OUTPUT_BYTES } from '#contract/limits'
import {
  compareOutputs,
  isCut,
  marksLines,
  type ComparedLine,
  type Difference,
  type KeptText,
} from '../../lib/text/compare-outputs.ts'
import { download } from '../../lib/files/download.ts'
import { formatBytes } from '../../lib/format/format.ts'
import {
  piecesOf,
  visibleControls,
  visibleDifference,
  visibleSpace,
} from '../../lib/text/line-pieces.ts'
import classes from './case-texts.module.css'
import box from './text-box.module.css'
import { LineBlocks } from './line-blocks.tsx'

interface TextBoxProps {
  label: string
  /** Name of the downloaded file. */
  file: string
  of: KeptText
  /** Takes the whole width. */
  isWide?: boolean
  /** The lines to show in a comparison: their side, and how the two outputs are compared. */
  compared?: { lines: ComparedLine[]; side: 'own' | 'expected'; compare: ShownCompareMode }
}

/** A line that differs: its differing pieces are marked, blanks and line ends visible. */
function DifferingLine({ line, compare }: { line: ComparedLine; compare: ShownCompareMode }) {
  const { t } = useTranslation()
  if (line.text === null) return <i>{t('caseTexts.noLine')}</i>
  return (
    <>
      {piecesOf(line.text, line.other, compare.mode, ignoresCase(compare)).map((piece, index) =>
        piece.differs ? (
          // Pieces are identified by their position.
          <mark key={index}>{visibleDifference(piece.text)}</mark>
        ) : (
          visibleSpace(piece.text)
        ),
      )}
      {line.end === 'extra' ? <mark>⏎</mark> : null}
      {line.end === 'missing' ? <i> {t('caseTexts.noLineEnd')}</i> : null}
    </>
  )
}

/** One text in a box that scrolls, with a button to download its kept part. */
export function TextBox({ label, file, of, isWide = false, compared }: TextBoxProps) {
  const { t } = useTranslation()
  const texts =
    compared?.lines.map(({ text }) => text ?? '') ?? of.text.replace(/\n$/, '').split('\n')

  function renderLine(index: number) {
    const line = compared?.lines[index]
    return (
      <span
        key={index}
        className={classes.line}
        data-differs={line?.differs ? compared?.side : undefined}
      >
        {compared && line?.differs ? (
          <DifferingLine line={line} compare={compared.compare} />
        ) : (
          visibleControls(texts[index] ?? '')
        )}
      </span>
    )
  }

  const downloadLabel = t('caseTexts.download', { what: label })
  return (
    <figure className={box.box} data-wide={isWide || undefined} aria-label={label}>
      <figcaption>
        <span>
          {label} ({formatBytes(of.size)}
          {isCut(of) ? `, ${t('caseTexts.cut', { size: formatBytes(KEPT_OUTPUT_BYTES) })}` : ''})
        </span>
        <ActionIcon
          size="sm"
          aria-label={downloadLabel}
          title={downloadLabel}
          onClick={() => download(file, of.text, 'text/plain;charset=utf-8')}
        >
          <IconDownload size={14} />
        </ActionIcon>
      </figcaption>
      <pre className={classes.text} tabIndex={0}>
        <LineBlocks lines={texts} renderLine={renderLine} />
      </pre>
    </figure>
  )
}

/** A sentence that names the difference. */
function DifferenceNote({ of: { kind, line, count, unseen } }: { of: Difference }) {
  const { t } = useTranslation()
  const text =
    kind === 'missingLines' || kind === 'extraLines'
      ? t(`caseTexts.difference.${kind}`, { line, count })
      : t(`caseTexts.difference.${kind}`, { line, characters: unseen.join(', ') })
  return <p className={classes.note}>{text}</p>
}

/** The last line of a traceback of Python: the exception. */
function exceptionOf({ text }: KeptText): string | undefined {
  if (!/^Traceback \(most recent call last\):$/m.test(text)) return undefined
  return text.trimEnd().split('\n').at(-1)
}

interface CaseTextsProps {
  /** Null where it is not known, or the program read something else. */
  input: KeptText | null
  own: KeptText
  /** What the output is compared with; null: it is not compared. */
  expected: KeptText | null
  stderr: KeptText
  compare: ShownCompareMode
  /**
   * Whether the program ran to its end. The difference is named only after a whole run: a stopped program may have
   * printed less.
   */
  isWhole: boolean
}

/** What a program read and printed on a case, beside the expected output, with the differences marked. */
export function CaseTexts({ input, own, expected, stderr, compare, isWhole }: CaseTextsProps) {
  const { t } = useTranslation()
  const { mode } = compare
  const compared = expected && compareOutputs(own, expected, mode, ignoresCase(compare))
  const exception = isCut(stderr) ? undefined : exceptionOf(stderr)
  const isTalk = mode === 'interactor'
  return (
    <>
      {isWhole && compared?.difference ? <DifferenceNote of={compared.difference} /> : null}
      {expected && !marksLines(mode) ? (
        <p className={classes.note}>{t(`caseTexts.unmarked.${mode}`)}</p>
      ) : null}
      {exception ? (
        <p className={classes.note}>
          {t('caseTexts.exception')} <code>{exception}</code>
        </p>
      ) : null}
      <div className={classes.boxes}>
        {input && !isTalk ? (
          <TextBox isWide label={t('caseTexts.input')} file="input.txt" of={input} />
        ) : null}
        {expected && compared ? (
          <TextBox
            label={t(isTalk ? 'caseTexts.interactorOutput' : 'caseTexts.expectedOutput')}
            file="expected.txt"
            of={expected}
            compared={{ lines: compared.expected, side: 'expected', compare }}
          />
        ) : null}
        <TextBox
          label={t('caseTexts.ownOutput')}
          file="output.txt"
          of={own}
          {...(compared && { compared: { lines: compared.own, side: 'own', compare } })}
        />
        {stderr.size > 0 ? (
          <TextBox isWide label={t('caseTexts.errorOutput')} file="error-output.txt" of={stderr} />
        ) : null}
      </div>
    </>
  )
}
