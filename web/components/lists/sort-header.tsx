import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import classes from './sort-header.module.css'

/** The column a table is sorted by. */
export interface Sort {
  by: string
  descending: boolean
}

interface SortHeaderProps {
  label: string
  by: string
  sort: Sort
  onSort: (sort: Sort) => void
  /** Numbers stand at the right; the highest comes first. */
  numeric?: boolean
}

/** A column's header, which sorts by the column; a second press reverses the order. */
export function SortHeader({ label, by, sort, onSort, numeric = false }: SortHeaderProps) {
  const active = sort.by === by
  const Icon = sort.descending ? IconArrowDown : IconArrowUp
  return (
    <th
      scope="col"
      className={numeric ? 'numeric' : undefined}
      aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : undefined}
    >
      <UnstyledButton
        className={classes.button}
        onClick={() => onSort({ by, descending: active ? !sort.descending : numeric })}
      >
        {label}
        {active ? (
          <Icon size={13} aria-hidden="true" />
        ) : (
          <IconArrowsSort size={13} aria-hidden="true" className={classes.idle} />
        )}
      </UnstyledButton>
    </th>
  )
}
