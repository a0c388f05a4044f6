import { Anchor, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CopycatPair, CopycatSide } from '#contract/copycat'
import { LoadMore } from '../../components/load-more.tsx'
import { Section } from '../../components/section.tsx'
import { SortHeader, type Sort } from '../../components/sort-header.tsx'
import { TableBox } from '../../components/table-box.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useLocale } from '../../lib/i18n.ts'
import { LOCALES } from '../../lib/locale.ts'
import { pairsOf, SORT_KEYS, sortPairs } from './pairs.ts'
import classes from './pair-table.module.css'

/** Rows shown at first and with each "Load more". */
const PAGE = 50

function Person({ side }: { side: CopycatSide }) {
  return (
    <td>
      {side.user.username}
      <small className={classes.name}>{side.user.displayedName}</small>
    </td>
  )
}

interface PairTableProps {
  /** The most similar ones. */
  pairs: CopycatPair[]
  /** How many there are in all. */
  pairCount: number
}

/** The pairs, to sort, to filter by person and to open. */
export function PairTable({ pairs, pairCount }: PairTableProps) {
  const { t } = useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  const [filter, setFilter] = useState('')
  const [sort, setSort] = useState<Sort>({ by: SORT_KEYS.similarity, descending: true })
  const [shown, setShown] = useState(PAGE)
  const found = sortPairs(pairsOf(pairs, filter), sort)
  const visible = found.slice(0, shown)
  const columns = { sort, onSort: setSort }
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
      <output className={classes.count}>
        {t('copycat.shown', { shown: found.length, total: pairCount })}
      </output>
      <LoadMore
        list={{
          hasNextPage: found.length > shown,
          isFetchingNextPage: false,
          fetchNextPage: async () => setShown(shown + PAGE),
        }}
        count={visible.length}
      >
        <TableBox className="app-cards">
          <table aria-label={t('copycat.pairs')}>
            <thead>
              <tr>
                <SortHeader label={t('copycat.older')} by={SORT_KEYS.left} {...columns} />
                <SortHeader label={t('copycat.newer')} by={SORT_KEYS.right} {...columns} />
                <SortHeader
                  label={t('copycat.similarity')}
                  by={SORT_KEYS.similarity}
                  numeric
                  {...columns}
                />
                <SortHeader
                  label={t('copycat.longest')}
                  by={SORT_KEYS.longest}
                  numeric
                  {...columns}
                />
                <SortHeader
                  label={t('copycat.overlap')}
                  by={SORT_KEYS.overlap}
                  numeric
                  {...columns}
                />
                <th scope="col">{t('common.actions')}</th>
              </tr>
            </thead>
            <tbody>
              {visible.map(({ left, right, similarity, longest, overlap }) => (
                <tr key={`${left.submissionId} ${right.submissionId}`}>
                  <Person side={left} />
                  <Person side={right} />
                  <td className={`numeric ${classes.similarity}`}>
                    {formatNumber(similarity * 100, dateTag)} %
                  </td>
                  <td className="numeric" data-label={t('copycat.longest')}>
                    {longest}
                  </td>
                  <td className="numeric" data-label={t('copycat.overlap')}>
                    {overlap}
                  </td>
                  <td>
                    <Anchor
                      component={Link}
                      to={`?${new URLSearchParams({ left: left.submissionId, right: right.submissionId })}`}
                      aria-label={t('copycat.compareOf', {
                        left: left.user.username,
                        right: right.user.username,
                      })}
                    >
                      {t('copycat.compare')}
                    </Anchor>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      </LoadMore>
    </Section>
  )
}
