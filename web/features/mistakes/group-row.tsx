import { Group, Text } from '@mantine/core'
import { IconBulb, IconBulbOff } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Hint, MistakeGroup } from '#contract/mistakes'
import { TimeText } from '../../components/display/time-text.tsx'
import { GroupName } from './group-name.tsx'
import { excerptOf } from './groups.ts'
import classes from './mistakes.module.css'
import { OpenedGroup } from './opened-group.tsx'

/** The beginning of a hint, and whether students see the hint. */
function HintLine({ hint: { markdown, isAside } }: { hint: Hint }) {
  const { t } = useTranslation()
  const Icon = isAside ? IconBulbOff : IconBulb
  return (
    <span>
      <Icon size={14} aria-hidden="true" className={classes.icon} />{' '}
      {t(isAside ? 'mistakes.hintLineAside' : 'mistakes.hintLine', { text: excerptOf(markdown) })}
    </span>
  )
}

export interface GroupRowProps {
  problemId: number
  group: MistakeGroup
  /** All groups that the page shows. */
  groups: MistakeGroup[]
  /** Whether the page shows all groups of the problem. */
  isWhole: boolean
  /** The hints of the group. */
  hints: Hint[]
  /** Whether the row is open at first and comes into sight. */
  isWanted: boolean
}

/** A row of the list; a press opens the group below it. */
export function GroupRow({ isWanted, ...props }: GroupRowProps) {
  const { t } = useTranslation()
  const { group, hints } = props
  const id = useId()
  const [isOpen, setIsOpen] = useState(isWanted)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isWanted) return
    button.current?.scrollIntoView({ block: 'start' })
    button.current?.focus({ preventScroll: true })
  }, [isWanted])
  return (
    <li className={`app-card ${classes.row}`}>
      <button
        ref={button}
        id={id}
        type="button"
        className={classes.toggle}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <GroupName group={group} />
      </button>
      <Group className={classes.facts} gap="2px 18px" fz="0.8125rem" c="dimmed">
        <span>
          {t('mistakes.since')} <TimeText at={group.since} />
        </span>
        <span>{t('mistakes.solved', { count: group.solved })}</span>
        {isOpen ? null : hints.map((hint) => <HintLine key={hint.hintId} hint={hint} />)}
        {group.merged.length > 0 ? (
          <Text span inherit>
            {t('mistakes.mergedCount', { count: group.merged.length + 1 })}
          </Text>
        ) : null}
      </Group>
      {isOpen ? (
        <section className={classes.opened} aria-labelledby={id}>
          <OpenedGroup {...props} />
        </section>
      ) : null}
    </li>
  )
}
