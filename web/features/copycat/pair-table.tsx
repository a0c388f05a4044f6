import { Anchor, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CopycatPair } from '#contract/copycat'
import { ListTable, type Column } from '../../components/lists/list-table.tsx'
import { LoadMore } from '../../components/lists/load-more.tsx'
import { Person } from '../../components/display/person.tsx'
import { Section } from '../../components/page/section.tsx'
import type { Sort } from '../../components/lists/sort-header.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { useNumberText } from '../../lib/format/number-text.ts'
import { pairsOf, SORT_KEYS, sortPairs } from './pairs.ts'
import classes from './pair-table.module.css'

/** Rows shown at first and with each "Load more". */
const PAGE = 50

function useColumns(): Column<CopycatPair>[] {
  const { t } = useTranslation()
  const { decimal } = useNumberText()
  const { course } = useCourse()
  return [
    {
      head: t('copycat.older'),
      sortBy: SORT_KEYS.left,
      renderCell: ({ left }) => <Person user={left.user} linkedIn={course} />,
    },
    {
      head: t('copycat.newer'),
      sortBy: SORT_KEYS.right,
      renderCell: ({ right }) => <Person user={right.user} linkedIn={course} />,
    },
    {
      head: t('copycat.similarity'),
      sortBy: SORT_KEYS.similarity,
      isNumeric: true,
      className: classes.similarity,
      renderCell: ({ similarity }) => `${decimal(similarity * 100)} %`,
    },
    {
      head: t('copycat.longest'),
      sortBy: SORT_KEYS.longest,
      isNumeric: true,
      isLabelled: true,
      renderCell: ({ longest }) => longest,
    },
    {
      head: t('copycat.overlap'),
      sortBy: SORT_KEYS.overlap,
      isNumeric: true,
      isLabelled: true,
      renderCell: ({ overlap }) => overlap,
    },
    { head: t('common.actions'), renderCell: (pair) => <CompareLink {...pair} /> },
  ]
}

function CompareLink({ left, right }: CopycatPair) {
  const { t } = useTranslation()
  const query = new URLSearchParams({ left: left.submissionId, right: right.submissionId })
  return (
    <Anchor
      component={Link}
      to={`?${query}`}
      aria-label={t('copycat.compareOf', {
        left: left.user.username,
        right: right.user.username,
      })}
    >
      {t('copycat.compare')}
    </Anchor>
  )
}

interface PairTableProps {
  /** The pairs with the highest similarity. */
  pairs: CopycatPair[]
  /** How many pairs the search has found in all. */
  pairCount: number
}

/** The pairs: sortable, filtered by person, each with a link to the comparison. */
export function PairTable({ pairs, pairCount }: PairTableProps) {
  const { t } = useTranslation()
  const columns = useColumns()
  const [filter, setFilter] = useState('')
  const [sort, setSort] = useState<Sort>({ by: SORT_KEYS.similarity, descending: true })
  const [shown, setShown] = useState(PAGE)
  const found = sortPairs(pairsOf(pairs, filter), sort)
  const visible = found.slice(0, shown)
  return (
    <Section
      title={t('copycat.pairs')}
      help={t('copycat.measures')}
      actions={
        <TextInput
          className="app-screen-only"
          aria-label={t('copycat.filter')}
          placeholder={t('copycat.filter')}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      }
    >
      <Text component="output" display="block" mb={8} fz="sm" c="dimmed">
        {t('copycat.shown', { shown: found.length, total: pairCount })}
      </Text>
      <LoadMore
        list={{
          hasNextPage: found.length > shown,
          isFetchingNextPage: false,
          fetchNextPage: async () => setShown(shown + PAGE),
        }}
        count={visible.length}
      >
        <ListTable
          className="app-cards"
          label={t('copycat.pairs')}
          columns={columns}
          rows={visible}
          keyOf={({ left, right }) => `${left.submissionId} ${right.submissionId}`}
          sort={sort}
          onSort={setSort}
        />
      </LoadMore>
    </Section>
  )
}
