import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TEXT_LIMITS } from '#contract/limits'
import { ROLES } from '#contract/roles'
import {
  newUser,
  savedUser,
  userChange,
  type SavedUser,
  type UserItem,
} from '#contract/people/users'
import { call } from '../../lib/api/call.ts'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { SaveError } from '../../components/forms/save-error.tsx'
import { ApiError } from '../../lib/api/api-error.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useRefusedFields, useSchemaValidation } from '../../lib/api/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { sessionQuery } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import {
  fieldOfRefusal,
  toNewUser,
  toUserChange,
  valuesOf,
  type UserValues,
} from './user-values.ts'

/** The form, and the call that creates an account or changes `user`. */
function useUserSave(user: UserItem | null, onSaved: (user: SavedUser) => void) {
  const errorText = useErrorText()
  const refusedFields = useRefusedFields()
  const validate = useSchemaValidation<UserValues>(
    user === null ? newUser : userChange,
    (values) => (user === null ? toNewUser(values) : toUserChange(values, user)),
  )
  const form = useForm<UserValues>({ initialValues: valuesOf(user), validate })
  const save = useMutation({
    mutationFn: ({ values, overwrite }: { values: UserValues; overwrite: boolean }) =>
      user === null
        ? call('POST /user', { body: toNewUser(values), as: savedUser })
        : call('PATCH /user/:username', {
            params: { username: user.username },
            body: toUserChange(values, user),
            ifMatch: overwrite ? null : user.etag,
            as: savedUser,
          }),
    onSuccess: async (saved) => {
      onSaved(saved)
      await refresh(['users'], sessionQuery.queryKey)
    },
    onError: (error, { values }) => {
      const code = error instanceof ApiError ? error.code : ''
      const field = fieldOfRefusal(code, user === null ? {} : toUserChange(values, user))
      form.setErrors(field === null ? refusedFields(error) : { [field]: errorText(error) })
      focusFirstInvalid()
    },
  })
  return { form, save }
}

interface UserFieldsProps {
  user: UserItem | null
  form: UseFormReturnType<UserValues>
}

/** Username, e-mail and name. */
function PersonFields({ user, form }: UserFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      {user === null ? (
        <TextInput
          label={t('profile.username')}
          description={t('users.usernameHelp')}
          withAsterisk
          data-autofocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={TEXT_LIMITS.username}
          {...form.getInputProps('username')}
        />
      ) : null}
      <TextInput
        label={t('profile.email')}
        type="email"
        withAsterisk
        autoComplete="off"
        maxLength={TEXT_LIMITS.email}
        {...form.getInputProps('email')}
      />
      {user === null || user.emailConfirmed ? null : (
        <Checkbox
          label={t('users.vouch')}
          description={t('users.vouchHelp')}
          {...form.getInputProps('vouches', { type: 'checkbox' })}
        />
      )}
      <TextInput
        label={t('profile.displayName')}
        description={user === null ? t('users.nameHelp') : null}
        withAsterisk={user !== null}
        autoComplete="off"
        maxLength={TEXT_LIMITS.displayedName}
        {...form.getInputProps('displayedName')}
      />
    </>
  )
}

/** Role, password and whether the account is active. */
function AccountFields({ user, form }: UserFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <NativeSelect
        label={t('profile.role')}
        data={[ROLES.student, ROLES.teacher, ROLES.admin].map((role) => ({
          value: String(role),
          label: t(`role.${role}`),
        }))}
        {...form.getInputProps('role')}
      />
      <PasswordInput
        label={t(user === null ? 'signIn.password' : 'password.new')}
        description={t(user === null ? 'users.passwordHelp' : 'users.newPasswordHelp')}
        autoComplete="new-password"
        maxLength={TEXT_LIMITS.passwordMax}
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        {...form.getInputProps('password')}
      />
      {user === null ? null : (
        <Checkbox
          label={t('users.active')}
          description={t('users.activeHelp')}
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
      )}
    </>
  )
}

interface UserFormProps {
  /** null makes a new account. */
  user: UserItem | null
  onSaved: (user: SavedUser) => void
  onCancel: () => void
}

/** Makes or changes an account. */
export function UserForm({ user, onSaved, onCancel }: UserFormProps) {
  const { t } = useTranslation()
  const { form, save } = useUserSave(user, onSaved)
  return (
    <CheckedForm form={form} onSend={(values) => save.mutate({ values, overwrite: false })}>
      <PersonFields user={user} form={form} />
      <AccountFields user={user} form={form} />
      {save.isError && Object.keys(form.errors).length === 0 ? (
        <SaveError
          error={save.error}
          storedAt={paths.users()}
          onOverwrite={() => save.mutate({ values: form.values, overwrite: true })}
        />
      ) : null}
      <FormButtons
        label={t(user === null ? 'users.create' : 'common.save')}
        isSending={save.isPending}
        onCancel={onCancel}
      />
    </CheckedForm>
  )
}
