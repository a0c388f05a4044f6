import { Badge, Button, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { TokenItem } from '#contract/people/tokens'
import { call } from '../../lib/api/call.ts'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Row, RowList } from '../../components/lists/row-list.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { refresh } from '../../lib/api/query-client.ts'
import { askToConfirm } from '../../lib/confirm.ts'
import { tokensQuery } from './api.ts'

interface TokenRowProps {
  token: TokenItem
  isBusy: boolean
  onEnd: () => void
}

function TokenRow({ token, isBusy, onEnd }: TokenRowProps) {
  const { t } = useTranslation()
  const { name, scopes, expireTime, lastUsed } = token
  return (
    <Row
      title={
        <>
          {name}
          {scopes.map((scope) => (
            <Badge key={scope} variant="light" size="sm" tt="none">
              {t(`tokens.scope.${scope}`)}
            </Badge>
          ))}
        </>
      }
      facts={
        <>
          <span>
            {t('tokens.expires')} <TimeText at={expireTime} mayLieAhead />
          </span>
          <span>
            {lastUsed === null ? (
              t('tokens.neverUsed')
            ) : (
              <>
                {t('tokens.lastUsed')} <TimeText at={lastUsed} relative />
              </>
            )}
          </span>
        </>
      }
      action={
        <Button
          size="xs"
          variant="default"
          loading={isBusy}
          aria-label={t('tokens.endOf', { name })}
          onClick={onEnd}
        >
          {t('sessions.end')}
        </Button>
      }
    />
  )
}

/** The user's API tokens, without their secrets. */
export function TokenList() {
  const { t } = useTranslation()
  const tokens = useQuery(tokensQuery)
  const revoke = useMutation({
    mutationFn: ({ id }: TokenItem) => call('DELETE /auth/tokens/:id', { params: { id } }),
    onSettled: () => refresh(tokensQuery.queryKey),
  })
  if (tokens.isPending) return <RowsSkeleton rows={1} height={64} />
  if (tokens.isLoadingError) return <ErrorBox of={tokens} />
  if (tokens.data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('tokens.none')}
      </Text>
    )

  async function askAndRevoke(token: TokenItem) {
    const isSure = await askToConfirm({
      title: t('tokens.confirmEnd.title', { name: token.name }),
      text: t('tokens.confirmEnd.text'),
      label: t('sessions.end'),
    })
    if (isSure) revoke.mutate(token)
  }

  return (
    <>
      <ErrorBox of={revoke} />
      <RowList>
        {tokens.data.map((token) => (
          <TokenRow
            key={token.id}
            token={token}
            isBusy={revoke.isPending && revoke.variables.id === token.id}
            onEnd={() => void askAndRevoke(token)}
          />
        ))}
      </RowList>
    </>
  )
}
