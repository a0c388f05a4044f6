import { Group, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { auditParams, type AuditEntryItem } from '#contract/audit'
import { TEXT_LIMITS } from '#contract/limits'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Page } from '../../components/page/page.tsx'
import { PagedList } from '../../components/lists/paged-list.tsx'
import { ListTable, type Column } from '../../components/lists/list-table.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { useAddressFilter } from '../../lib/navigation/address-filter.ts'
import { paths } from '../../paths.ts'
import { auditEntriesQuery } from './api.ts'
import classes from './audit-page.module.css'

type FilterKey = 'actor' | 'action'

/** A filter from the address. A filter that the API would refuse is marked `bad`, and filters nothing. */
function readText(query: URLSearchParams, key: FilterKey) {
  const text = query.get(key) ?? ''
  const bad = text !== '' && !auditParams.shape[key].safeParse(text).success
  return { text, bad, wanted: bad ? '' : text }
}

function useFilter() {
  const { query, setFilter } = useAddressFilter<FilterKey>()
  return { actor: readText(query, 'actor'), action: readText(query, 'action'), setFilter }
}

/** @param actions suggestions for the second field */
function FilterBar({ actions }: { actions: string[] }) {
  const { t } = useTranslation()
  const { actor, action, setFilter } = useFilter()
  const setActor = useDebouncedCallback((text: string) => setFilter('actor', text), 300)
  const setAction = useDebouncedCallback((text: string) => setFilter('action', text), 300)
  return (
    <Group
      component="form"
      align="flex-start"
      gap={12}
      mb={14}
      aria-label={t('submissions.filters')}
      onSubmit={(event) => event.preventDefault()}
    >
      <TextInput
        label={t('audit.actor')}
        defaultValue={actor.text}
        maxLength={TEXT_LIMITS.username}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setActor(event.currentTarget.value)}
        error={actor.bad ? t('field.invalid') : null}
      />
      <TextInput
        label={t('audit.action')}
        defaultValue={action.text}
        maxLength={64}
        list="audit-actions"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setAction(event.currentTarget.value)}
        error={action.bad ? t('field.invalid') : null}
      />
      <datalist id="audit-actions">
        {actions.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </Group>
  )
}

/** The subject of an entry, with its details as the API stores them. */
function Subject({ entry }: { entry: AuditEntryItem }) {
  return (
    <>
      <span className="mono">{entry.subjectName ?? entry.subject}</span>
      {Object.entries(entry.detail).map(([name, value]) => (
        <Text key={name} span display="block" fz="0.8125rem" c="dimmed">
          {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
        </Text>
      ))}
    </>
  )
}

function useColumns(): Column<AuditEntryItem>[] {
  const { t } = useTranslation()
  return [
    { head: t('audit.when'), renderCell: ({ time }) => <TimeText at={time} /> },
    {
      head: t('audit.actor'),
      className: classes.short,
      renderCell: ({ actor }) => actor ?? t('audit.nobody'),
    },
    {
      head: t('audit.action'),
      className: `mono ${classes.short}`,
      renderCell: ({ action }) => action,
    },
    {
      head: t('audit.subject'),
      className: classes.text,
      renderCell: (entry) => <Subject entry={entry} />,
    },
    { head: t('submission.ip'), className: 'mono', renderCell: ({ ip }) => ip || '–' },
  ]
}

/** `/admin/audit`: who did what, when and from where. Actions have the API's names. */
export function AuditPage() {
  const { t } = useTranslation()
  const { actor, action } = useFilter()
  const columns = useColumns()
  const list = useInfiniteQuery(auditEntriesQuery({ actor: actor.wanted, action: action.wanted }))
  const entries = list.data?.pages.flatMap((page) => page.items) ?? []
  const actions = [...new Set(entries.map((entry) => entry.action))].toSorted()
  return (
    <Page title={t('admin.audit')} crumbs={[{ label: t('nav.admin'), to: paths.admin() }]}>
      <FilterBar actions={actions} />
      <PagedList
        list={list}
        count={entries.length}
        skeleton={{ rows: 10 }}
        empty={<EmptyState Icon={IconHistory} text={t('audit.none')} />}
      >
        <ListTable
          className={classes.table}
          columns={columns}
          rows={entries}
          keyOf={({ id }) => id}
        />
      </PagedList>
    </Page>
  )
}
