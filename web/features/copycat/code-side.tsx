import { Anchor, Text } from '@mantine/core'
import { useId, useMemo, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CopycatComparison } from '#contract/copycat'
import { languageOf } from '#contract/languages'
import { Person } from '../../components/display/person.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { paths } from '../../paths.ts'
import { codePieces, type Part, type Piece } from './code-pieces.ts'
import classes from './pair-view.module.css'

/** The number of colours in the style sheet. Parts with the same colour have different numbers. */
export const HUES = 6

/** The clicked part; null while text is selected, and for a part's label, which has its own click handler. */
function clickedPart(target: EventTarget): number | null {
  if (!(target instanceof HTMLElement) || target.closest('button')) return null
  if (window.getSelection()?.isCollapsed === false) return null
  const part = target.closest<HTMLElement>('[data-part]')?.dataset['part']
  return part === undefined ? null : Number(part)
}

interface CodePartsProps {
  pieces: Piece[]
  active: number | null
  labelOf: (number: number) => string
  onPart: (part: number) => void
}

/** The pieces of one line. */
function CodeLine({ pieces, active, labelOf, onPart }: CodePartsProps) {
  return pieces.map(({ text, part, isFirst }, index) =>
    part === null ? (
      text
    ) : (
      <mark
        // Pieces of a line are identified by their position.
        key={index}
        className={classes.mark}
        style={{ background: `var(--part-${part % HUES})` }}
        data-part={part}
        data-active={part === active || undefined}
      >
        {isFirst ? (
          <button
            type="button"
            className={classes.label}
            style={{ background: `var(--part-label-${part % HUES})` }}
            data-label-of={part}
            aria-label={labelOf(part + 1)}
            onClick={() => onPart(part)}
          >
            {part + 1}
          </button>
        ) : null}
        {text}
      </mark>
    ),
  )
}

interface CodeSideProps {
  side: CopycatComparison['left']
  course: string
  /** Says which of the two programs it is. */
  heading: string
  parts: readonly Part[]
  /** Says what the label of a part does. */
  labelOf: (number: number) => string
  /** The part chosen last. */
  active: number | null
  box: RefObject<HTMLPreElement | null>
  /** Shows the same part of the other program. */
  onPart: (part: number) => void
}

/** One of the two programs. */
export function CodeSide({ side, course, heading, parts, box, ...line }: CodeSideProps) {
  const { t } = useTranslation()
  const id = useId()
  const lines = useMemo(() => codePieces(side.code, parts), [side.code, parts])
  return (
    <section className={`app-card ${classes.side}`} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>
          <Text span mr={6} fz="xs" fw={600} c="dimmed">
            {heading}
          </Text>{' '}
          <Person user={side.user} linkedIn={course} />
        </h2>
        <Text span fz="0.8125rem" c="dimmed">
          {languageOf(side.languageType).label} · <TimeText at={side.timestamp} /> ·{' '}
          <Anchor
            component={Link}
            underline="always"
            to={paths.submission(course, side.submissionId)}
          >
            {t('copycat.toSubmission')}
          </Anchor>
        </Text>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- what a click on a part does, its label does for the keyboard */}
      <pre
        ref={box}
        className={classes.code}
        tabIndex={0}
        onClick={({ target }) => {
          const part = clickedPart(target)
          if (part !== null) line.onPart(part)
        }}
      >
        {lines.map((pieces, index) => (
          // Lines are identified by their number.
          <span key={index} className={classes.line}>
            <span className={classes.lineNumber} aria-hidden="true">
              {index + 1}
            </span>
            <span className={classes.text}>
              <CodeLine pieces={pieces} {...line} />
            </span>
          </span>
        ))}
      </pre>
    </section>
  )
}
