import { Button, Group, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconLink, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { joinCodeText } from '#contract/joining'
import { FallbackBoundary } from '../../components/feedback/fallback-boundary.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { paths } from '../../paths.ts'
import { joinLink } from './joining.ts'
import { joiningQuery } from './joining-calls.ts'
import classes from './join-slide.module.css'

const JoinQr = lazy(async () => ({ default: (await import('./join-qr.tsx')).JoinQr }))

/** How many have used the code, and how many of them wait, renewed when somebody asks or comes back to the window. */
function JoinedSoFar({ course, codeId }: { course: string; codeId: number }) {
  const { t } = useTranslation()
  const { data, isFetching, refetch } = useQuery(joiningQuery(course))
  const waiting = data?.waiting.filter((each) => each.codeId === codeId).length ?? 0
  const joined = data?.codes.find(({ id }) => id === codeId)?.joined ?? 0
  return (
    <Group gap="xs" justify="center">
      <Text component="output" size="xl">
        {t('joinCodes.usedCount', { count: joined })}
        {waiting > 0 ? ` · ${t('joinCodes.waitingCount', { count: waiting })}` : null}
      </Text>
      <Button
        variant="subtle"
        size="xs"
        loading={isFetching}
        leftSection={<IconRefresh size={16} aria-hidden="true" />}
        onClick={() => void refetch()}
      >
        {t('joinCodes.refresh')}
      </Button>
    </Group>
  )
}

interface JoinSlideProps {
  course: string
  codeId: number
  code: string
}

/** A code for a slide: QR, address and letters that the last row can read. */
export function JoinSlide({ course, codeId, code }: JoinSlideProps) {
  const { t } = useTranslation()
  const { host, origin } = window.location
  const clipboard = useClipboard({ timeout: 1_500 })
  const link = joinLink(origin, code)
  return (
    <div className={classes.slide}>
      <div className={classes.qr}>
        <FallbackBoundary fallback={null} loading={<RowsSkeleton rows={3} height={80} />}>
          <JoinQr link={link} title={t('joinCodes.qr', { course })} />
        </FallbackBoundary>
      </div>
      <Stack>
        <div className={classes.course}>{course}</div>
        <div className={classes.address}>
          {t('joinCodes.goTo', { address: host + paths.join() })}
        </div>
      </Stack>
      <div className={`mono ${classes.code}`}>{joinCodeText(code)}</div>
      <Group justify="center" gap="8px 32px" className={classes.foot}>
        <JoinedSoFar course={course} codeId={codeId} />
        <Button
          variant="default"
          leftSection={
            clipboard.copied ? (
              <IconCheck size={16} aria-hidden="true" />
            ) : (
              <IconLink size={16} aria-hidden="true" />
            )
          }
          onClick={() => clipboard.copy(link)}
        >
          {t(clipboard.copied ? 'common.copied' : 'joinCodes.copyLink')}
        </Button>
      </Group>
    </div>
  )
}
