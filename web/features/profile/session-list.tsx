import { Badge, Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { SessionItem } from '#contract/people/auth'
import { call } from '../../lib/api/call.ts'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Row, RowList } from '../../components/lists/row-list.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { useSignOut } from '../../layout/use-sign-out.tsx'
import { readAgent } from '../../lib/session/agent.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { sessionsQuery } from './api.ts'

function useAgentText(): (agent: string) => string {
  const { t } = useTranslation()
  return function agentText(agent) {
    const { browser, system } = readAgent(agent)
    if (browser !== null && system !== null) return t('sessions.agent', { browser, system })
    return browser ?? system ?? t('sessions.unknownAgent')
  }
}

interface SessionRowProps {
  item: SessionItem
  isBusy: boolean
  onEnd: () => void
}

function SessionRow({ item, isBusy, onEnd }: SessionRowProps) {
  const { t } = useTranslation()
  const agent = useAgentText()(item.agent)
  return (
    <Row
      title={
        <>
          <span title={item.agent}>{agent}</span>
          {item.current ? (
            <Badge variant="light" tt="none">
              {t('sessions.current')}
            </Badge>
          ) : null}
        </>
      }
      facts={
        <>
          <span className="mono">{item.ipAddr || t('sessions.noAddress')}</span>
          <span>
            {t('sessions.created')} <TimeText at={item.createTime} />
          </span>
          <span>
            {t('sessions.lastSeen')} <TimeText at={item.lastSeen} relative />
          </span>
        </>
      }
      action={
        <Button
          size="xs"
          variant="default"
          loading={isBusy}
          aria-label={item.current ? undefined : t('sessions.endOf', { agent })}
          onClick={onEnd}
        >
          {t(item.current ? 'user.signOut' : 'sessions.end')}
        </Button>
      }
    />
  )
}

/** The user's sessions, each with a button that ends it. */
export function SessionList() {
  const { t } = useTranslation()
  const { signOut, question } = useSignOut()
  const sessions = useQuery(sessionsQuery)
  const end = useMutation({
    mutationFn: (id: string) => call('DELETE /auth/sessions/:id', { params: { id } }),
    onSettled: () => refresh(sessionsQuery.queryKey),
  })
  if (sessions.isPending) return <RowsSkeleton rows={2} height={64} />
  if (sessions.isLoadingError) return <ErrorBox of={sessions} />

  function finish(item: SessionItem) {
    if (item.current) signOut()
    else end.mutate(item.id)
  }

  return (
    <>
      <ErrorBox of={end} />
      <RowList>
        {sessions.data.map((item) => (
          <SessionRow
            key={item.id}
            item={item}
            isBusy={end.isPending && end.variables === item.id}
            onEnd={() => finish(item)}
          />
        ))}
      </RowList>
      <output>{end.isSuccess ? t('sessions.ended') : null}</output>
      {question}
    </>
  )
}
