import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Homework } from '#contract/homeworks'
import { useCourse } from '../../lib/queries/course.ts'
import { paths } from '../../paths.ts'
import type { Target } from './extension-values.ts'
import { presentText } from './present-text.ts'

interface ExtensionDoneProps {
  homework: Homework
  /** With the dates that are now in force. */
  targets: readonly Target[]
  /** How many marks stay although the new dates would lower them. */
  kept: number
  onClose: () => void
}

/** Says that new dates are saved, and what they do not change by themselves. */
export function ExtensionDone({ homework, targets, kept, onClose }: ExtensionDoneProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const button = useRef<HTMLButtonElement>(null)
  // The pressed button is gone, so the next one takes the focus.
  useEffect(() => button.current?.focus(), [])
  const [first] = targets
  const isOne = first !== undefined && targets.length === 1
  return (
    <Stack>
      <output>
        <Text size="sm">
          {isOne
            ? presentText(first.own, 'dates.saved', t)
            : t('dates.savedMany', { count: targets.length })}
        </Text>
        {kept === 0 ? null : (
          <Text size="sm" mt="xs">
            {t('dates.keptCount', { count: kept })}{' '}
            <Anchor
              component={Link}
              to={`${paths.homeworkDates(course, homework.id)}#kept-marks`}
              inherit
              underline="always"
              onClick={onClose}
            >
              {t('dates.toKept')}
            </Anchor>
          </Text>
        )}
      </output>
      <Group justify="flex-end">
        <Button ref={button} onClick={onClose}>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  )
}
