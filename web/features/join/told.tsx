import { Alert, Button, Stack, Text, type AlertProps } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { allowedDomains } from '#contract/joining'
import { refusalData } from '../../lib/api/api-error.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { paths } from '../../paths.ts'
import { pathAfterJoining, wayOnFrom, type WayOn } from './join-rules.ts'

interface ToldProps extends Pick<AlertProps, 'color' | 'title'> {
  text: string
  way: WayOn | null
  /** Absent for a code that leads to no course. */
  course?: string
  onOtherCode: () => void
}

/** The one way on. */
function Way({ way, course = '', onOtherCode }: Omit<ToldProps, 'text'>) {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  if (way === null) return null
  if (way === 'code') return <Button onClick={onOtherCode}>{t('join.otherCode')}</Button>
  const to = {
    course: pathAfterJoining(course, query.get('redirect')),
    profile: paths.profile(),
    courses: paths.courses(),
  }[way]
  return (
    <Button component={Link} to={to}>
      {t(`join.to.${way}`)}
    </Button>
  )
}

/** A sentence and one way on; the focus moves there, because the sentence answers what somebody has just done. */
export function Told({ text, color, title, ...way }: ToldProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <Alert ref={box} tabIndex={-1} color={color ?? 'red'} title={title}>
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{text}</Text>
        <Way {...way} />
      </Stack>
    </Alert>
  )
}

/** Returns a function that says why somebody cannot join. */
export function useRefusalText(): (error: unknown) => string {
  const { t } = useTranslation()
  const errorText = useErrorText()
  return function refusalText(error) {
    const text = errorText(error)
    const domains = refusalData(error, allowedDomains)?.domains
    if (domains === undefined) return text
    return t('join.wrongDomain', { domains: domains.join(', ') })
  }
}

/** A failed attempt to join. */
export function Refusal({
  error,
  ...props
}: Pick<ToldProps, 'course' | 'onOtherCode'> & { error: unknown }) {
  const refusalText = useRefusalText()
  return <Told text={refusalText(error)} way={wayOnFrom(error)} {...props} />
}
