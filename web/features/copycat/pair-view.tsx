import { Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CopycatComparison, CopycatFragment } from '#contract/copycat'
import { Facts } from '../../components/display/facts.tsx'
import { useNumberText } from '../../lib/format/number-text.ts'
import { CodeSide, HUES } from './code-side.tsx'
import classes from './pair-view.module.css'

/** `3–14`; a single line is its number. */
function linesText({ startLine, endLine }: CopycatFragment['left']): string {
  return startLine === endLine ? String(startLine) : `${startLine}–${endLine}`
}

/** Scrolls a part into its box's view, and focuses its label. */
function showPart(box: HTMLElement | null, part: number): void {
  const label = box?.querySelector<HTMLElement>(`[data-label-of="${part}"]`)
  if (!box || !label) return
  box.scrollTop += label.getBoundingClientRect().top - box.getBoundingClientRect().top - 80
  // On narrow screens the box itself may be out of view, so the page scrolls to it.
  box.scrollIntoView({ block: 'nearest' })
  label.focus({ preventScroll: true })
}

interface PartListProps {
  fragments: CopycatFragment[]
  /** The part chosen last. */
  active: number | null
  onPart: (part: number) => void
}

function PartList({ fragments, active, onPart }: PartListProps) {
  const { t } = useTranslation()
  return (
    <section className={classes.parts} aria-label={t('copycat.parts')}>
      {fragments.length === 0 ? <Text c="dimmed">{t('copycat.noParts')}</Text> : null}
      <ol className={`app-list ${classes.list}`}>
        {fragments.map((fragment, part) => (
          <li key={fragment.left.start}>
            <button
              type="button"
              className={classes.part}
              aria-pressed={active === part}
              onClick={() => onPart(part)}
            >
              <span
                className={classes.number}
                style={{ background: `var(--part-label-${part % HUES})` }}
                aria-hidden="true"
              >
                {part + 1}
              </span>
              {t('copycat.partLines', {
                number: part + 1,
                tokens: fragment.tokens,
                left: linesText(fragment.left),
                right: linesText(fragment.right),
              })}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Two programs and their shared parts. A part has the same colour and number on both sides, and a click shows it on the other side. */
export function PairView({ pair, course }: { pair: CopycatComparison; course: string }) {
  const { t } = useTranslation()
  const { decimal } = useNumberText()
  const [active, setActive] = useState<number | null>(null)
  const leftBox = useRef<HTMLPreElement>(null)
  const rightBox = useRef<HTMLPreElement>(null)
  const { fragments, left, right, similarity, longest, overlap } = pair
  const percent = decimal(similarity * 100)

  function toLeft(part: number) {
    setActive(part)
    showPart(leftBox.current, part)
  }

  function toRight(part: number) {
    setActive(part)
    showPart(rightBox.current, part)
  }

  function toBoth(part: number) {
    toRight(part)
    toLeft(part)
  }

  return (
    <>
      <Facts
        facts={[
          { label: t('copycat.similarity'), value: `${percent} %`, isKey: true },
          { label: t('copycat.longest'), value: t('copycat.tokens', { count: longest }) },
          { label: t('copycat.overlap'), value: t('copycat.tokens', { count: overlap }) },
        ]}
      />
      <PartList fragments={fragments} active={active} onPart={toBoth} />
      <div className={classes.sides}>
        <CodeSide
          side={left}
          course={course}
          heading={t('copycat.older')}
          parts={fragments.map((fragment) => fragment.left)}
          labelOf={(number) => t('copycat.toNewer', { number })}
          active={active}
          box={leftBox}
          onPart={toRight}
        />
        <CodeSide
          side={right}
          course={course}
          heading={t('copycat.newer')}
          parts={fragments.map((fragment) => fragment.right)}
          labelOf={(number) => t('copycat.toOlder', { number })}
          active={active}
          box={rightBox}
          onPart={toLeft}
        />
      </div>
    </>
  )
}
