import { Button, Text, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { isAtDomain, joinAccount, joined, type Joined, type JoinOffer } from '#contract/joining'
import { JOIN_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { checkResult, checkUsernameBody } from '#contract/people/auth'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { NewPasswordFields } from '../../components/forms/new-password-fields.tsx'
import { InsecureNote, SharedComputerBox } from '../../components/forms/sign-in-form.tsx'
import { Section } from '../../components/page/section.tsx'
import { isRefusal } from '../../lib/api/api-error.ts'
import { call } from '../../lib/api/call.ts'
import { useRefusedFields } from '../../lib/api/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import { isSharedComputer } from '../../lib/session/belongings.ts'
import { underOneName, useNewPasswordValidation } from '../../lib/session/new-password.ts'
import { beginSession } from '../../lib/session/session.ts'
import { fieldOfRefusal, toAccount, type AccountValues } from './join-rules.ts'
import { Refusal, useRefusalText } from './told.tsx'
import { useJoin } from './use-join.ts'

interface AccountFormProps {
  code: string
  offer: JoinOffer
  onJoined: (joined: Joined) => Promise<void>
  onOtherCode: () => void
  /** Signs in instead. @param username what was typed so far */
  onHasAccount: (username: string) => void
}

/** The form, and the call that makes the account and joins. */
function useAccount({ code, offer, onJoined }: AccountFormProps) {
  const { t } = useTranslation()
  const refusalText = useRefusalText()
  const refusedFields = useRefusedFields()
  const validate = useNewPasswordValidation<AccountValues>(joinAccount, (values) =>
    toAccount(code, values),
  )
  const form = useForm<AccountValues>({
    initialValues: {
      username: '',
      email: offer.email ?? '',
      newPassword: '',
      repeat: '',
      displayedName: '',
      sharedComputer: isSharedComputer(),
    },
    validate: (values) => ({
      ...(!isAtDomain(values.email.trim(), offer.domains) && {
        email: t('join.wrongDomain', { domains: offer.domains.join(', ') }),
      }),
      ...underOneName(validate(values)),
    }),
  })
  const { join, isCrowded } = useJoin<AccountValues>({
    send: (values) => call('POST /join/account', { body: toAccount(code, values), as: joined }),
    async onJoined(answer, { sharedComputer }) {
      await beginSession(sharedComputer)
      await onJoined(answer)
    },
    onError(error) {
      const field = fieldOfRefusal(error)
      form.setErrors(
        field === null ? underOneName(refusedFields(error)) : { [field]: refusalText(error) },
      )
      focusFirstInvalid()
    },
  })

  /** Says before the form is sent whether the username is taken; if this fails, sending says so. */
  async function checkUsername() {
    const body = checkUsernameBody.safeParse(form.getValues()).data
    if (body === undefined) return
    const { valid } = await call('POST /auth/check/username', { body, as: checkResult })
    if (valid === 0 && form.getValues().username.trim() === body.username)
      form.setFieldError('username', t('error.username_exists'))
  }

  return { form, join, isCrowded, checkUsername: () => void checkUsername().catch(() => undefined) }
}

interface AccountFieldsProps {
  form: UseFormReturnType<AccountValues>
  offer: JoinOffer
  /** Called once a username is typed. */
  onUsername: () => void
}

/** Username, e-mail, password and name. */
function AccountFields({ form, offer, onUsername }: AccountFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('profile.username')}
        description={t('users.usernameHelp')}
        withAsterisk
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={TEXT_LIMITS.username}
        {...form.getInputProps('username')}
        onBlur={onUsername}
      />
      <TextInput
        label={t('profile.email')}
        description={
          offer.email === null ? t('join.emailHelp', { count: JOIN_LIMITS.confirmDays }) : null
        }
        type="email"
        withAsterisk
        autoComplete="email"
        maxLength={TEXT_LIMITS.email}
        {...form.getInputProps('email')}
      />
      <NewPasswordFields form={form} />
      <TextInput
        label={t('profile.displayName')}
        description={t('join.nameHelp')}
        autoComplete="name"
        maxLength={TEXT_LIMITS.displayedName}
        {...form.getInputProps('displayedName')}
      />
    </>
  )
}

/** Makes an account with which its owner joins at once. */
export function AccountForm(props: AccountFormProps) {
  const { offer, onHasAccount, onOtherCode } = props
  const { t } = useTranslation()
  const { form, join, isCrowded, checkUsername } = useAccount(props)
  const isAtField = Object.keys(form.errors).length > 0
  const { error } = join
  return (
    <Section
      title={t('join.newTitle')}
      actions={
        <Button variant="default" size="xs" onClick={() => onHasAccount(form.getValues().username)}>
          {t('join.haveAccount')}
        </Button>
      }
    >
      <CheckedForm
        form={form}
        onSend={(values) => {
          if (!join.isPending) join.mutate(values)
        }}
      >
        <InsecureNote error={error} />
        <AccountFields form={form} offer={offer} onUsername={checkUsername} />
        <SharedComputerBox
          checked={form.values.sharedComputer}
          onChange={(isShared) => form.setFieldValue('sharedComputer', isShared)}
        />
        {error === null || isAtField || isRefusal(error, 'no_cookie') ? null : (
          <Refusal error={error} course={offer.course} onOtherCode={onOtherCode} />
        )}
        <Button type="submit" loading={join.isPending}>
          {t('join.create')}
        </Button>
        <Text component="output" size="sm" c="dimmed" ta="center">
          {isCrowded ? t('join.crowded') : null}
        </Text>
      </CheckedForm>
    </Section>
  )
}
