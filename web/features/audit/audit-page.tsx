import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { auditParams, type AuditEntryItem } from '#contract/audit'
import { TEXT_LIMITS } from '#contract/limits'
import { EmptyState } from '../../components/empty-state.tsx'
import { ListError } from '../../components/list-error.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Page } from '../../components/page.tsx'
import { RowsSkeleton } from '../../components/rows-skeleton.tsx'
import { TableBox } from '../../components/table-box.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { paths } from '../../paths.ts'
import { auditEntriesQuery } from './api.ts'
import classes from './audit-page.module.css'

const FILTERS = ['actor', 'action'] as const

/** What stands in the address, as far as the API would take it. */
function useFilter() {
  const [query, setQuery] = useSearchParams()
  function set(key: (typeof FILTERS)[number], value: string) {
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        if (value === '') next.delete(key)
        else next.set(key, value)
        return next
      },
      { replace: true },
    )
  }
  const texts = { actor: query.get('actor') ?? '', action: query.get('action') ?? '' }
  function isBad(key: (typeof FILTERS)[number]): boolean {
    return texts[key] !== '' && !auditParams.shape[key].safeParse(texts[key]).success
  }
  return { texts, set, isBad }
}

/** What was done, with its details as the API keeps them. */
function Entry({ entry }: { entry: AuditEntryItem }) {
  const { t } = useTranslation()
  const details = Object.entries(entry.detail)
  return (
    <tr>
      <td>
        <TimeText at={entry.time} />
      </td>
      <td className={classes.short}>{entry.actor ?? t('audit.nobody')}</td>
      <td className={`mono ${classes.short}`}>{entry.action}</td>
      <td className={classes.text}>
        <span className="mono">{entry.subjectName ?? entry.subject}</span>
        {details.map(([name, value]) => (
          <span key={name} className={classes.detail}>
            {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
          </span>
        ))}
      </td>
      <td className="mono">{entry.ip || '–'}</td>
    </tr>
  )
}

/** `/admin/audit`: who did what when from where. Actions stand as the API names them. */
export function AuditPage() {
  const { t } = useTranslation()
  const { texts, set, isBad } = useFilter()
  const bad = { actor: isBad('actor'), action: isBad('action') }
  const list = useInfiniteQuery(
    auditEntriesQuery({
      actor: bad.actor ? '' : texts.actor,
      action: bad.action ? '' : texts.action,
    }),
  )
  const setActor = useDebouncedCallback((value: string) => set('actor', value.trim()), 300)
  const setAction = useDebouncedCallback((value: string) => set('action', value.trim()), 300)
  const entries = list.data?.pages.flatMap((page) => page.items) ?? []
  const actions = [...new Set(entries.map(({ action }) => action))].toSorted()
  return (
    <Page title={t('admin.audit')} crumbs={[{ label: t('nav.admin'), to: paths.admin() }]}>
      <form
        className={classes.filters}
        aria-label={t('submissions.filters')}
        onSubmit={(event) => event.preventDefault()}
      >
        <TextInput
          label={t('audit.actor')}
          defaultValue={texts.actor}
          maxLength={TEXT_LIMITS.username}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setActor(event.currentTarget.value)}
          error={bad.actor ? t('field.invalid') : null}
        />
        <TextInput
          label={t('audit.action')}
          defaultValue={texts.action}
          maxLength={64}
          list="audit-actions"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setAction(event.currentTarget.value)}
          error={bad.action ? t('field.invalid') : null}
        />
        <datalist id="audit-actions">
          {actions.map((action) => (
            <option key={action}>{action}</option>
          ))}
        </datalist>
      </form>
      {list.isPending ? <RowsSkeleton rows={10} /> : null}
      <ListError list={list} />
      {list.data && entries.length === 0 ? (
        <EmptyState Icon={IconHistory} text={t('audit.none')} />
      ) : null}
      <LoadMore list={list} count={entries.length}>
        {entries.length > 0 ? (
          <TableBox className={classes.table}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('audit.when')}</th>
                  <th scope="col">{t('audit.actor')}</th>
                  <th scope="col">{t('audit.action')}</th>
                  <th scope="col">{t('audit.subject')}</th>
                  <th scope="col">{t('submission.ip')}</th>
                </tr>
              </thead>
              <tbody>
                {entries.map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </tbody>
            </table>
          </TableBox>
        ) : null}
      </LoadMore>
    </Page>
  )
}
