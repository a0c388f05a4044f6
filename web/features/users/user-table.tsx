import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { UserItem } from '#contract/users'
import { ConfirmDelete } from '../../components/confirm-delete.tsx'
import { TableBox } from '../../components/table-box.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { eraseUser } from './api.ts'
import classes from './users-page.module.css'

interface UserTableProps {
  users: UserItem[]
  onEdit: (user: UserItem) => void
  onErased: (user: UserItem) => void
}

/** Accounts; on narrow screens every row is a card. */
export function UserTable({ users, onEdit, onErased }: UserTableProps) {
  const { t } = useTranslation()
  const client = useQueryClient()

  async function erase(user: UserItem) {
    await eraseUser(user.username)
    onErased(user)
    await client.invalidateQueries({ queryKey: ['users'] })
  }

  return (
    <TableBox className="app-cards">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('profile.username')}</th>
            <th scope="col">{t('profile.email')}</th>
            <th scope="col">{t('profile.role')}</th>
            <th scope="col">{t('users.created')}</th>
            <th scope="col">{t('common.actions')}</th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.username}>
              <td className={classes.who} data-wide>
                <span className="mono">{user.username}</span>
                <span className={classes.name}>{user.displayedName}</span>
              </td>
              <td className={classes.who} data-wide>
                {user.email}
                {user.emailConfirmed ? null : (
                  <span className={classes.name}>{t('members.unconfirmed')}</span>
                )}
              </td>
              <td className={classes.role}>
                {t(`role.${user.role}`)}
                {user.active ? null : (
                  <span className={classes.inactive}>{t('users.inactive')}</span>
                )}
              </td>
              <td data-label={t('users.created')}>
                <TimeText at={user.createTime} />
              </td>
              <td>
                <Group gap="xs" wrap="nowrap">
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t('users.editOf', { username: user.username })}
                    onClick={() => onEdit(user)}
                  >
                    {t('common.edit')}
                  </Button>
                  <ConfirmDelete
                    size="xs"
                    name={user.username}
                    label={t('users.erase')}
                    ofWhat={t('users.eraseOf', { username: user.username })}
                    text={t('users.eraseText', { username: user.username })}
                    onDelete={() => erase(user)}
                  />
                </Group>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}
