/** What the columns of a table of people mean, by their headers. */

/** What a column may mean. The given and the family name together make the displayed name. */
export const FIELDS = [
  'username',
  'email',
  'displayedName',
  'givenName',
  'familyName',
  'password',
  'role',
  'labels',
] as const
export type Field = (typeof FIELDS)[number]

/** Column headers in the app's languages and in German, and those of student registries; without blanks and punctuation. */
const HEADS: Record<Field, string> = {
  username:
    'username user login loginname account accountname studentid studentnumber studentno matriculationnumber id benutzername benutzer benutzerkennung kennung anmeldename kürzel matrikelnummer matrikelnr matrikel 學號 学号 帳號 账号 賬號 使用者名稱 使用者帳號 用户名 使用者',
  email:
    'email mail emailaddress mailaddress emailadresse mailadresse eposta 電子郵件 電子郵件地址 電郵 信箱 電子信箱 郵箱 邮箱',
  displayedName:
    'displayedname displayname name fullname studentname anzeigename vollständigername vorundnachname 姓名 名字 顯示名稱 显示名称 中文姓名 學生姓名 学生姓名',
  givenName: 'givenname firstname forename vorname rufname 名',
  familyName: 'familyname lastname surname nachname familienname 姓 姓氏',
  password: 'password pass initialpassword passwort kennwort 密碼 密码 初始密碼',
  role: 'role rolle 角色 身分 身份',
  labels: 'labels label 標籤 标签',
}

/** The meaning of each column; null: none. */
export type Columns = (Field | null)[]

function plain(head: string): string {
  return head
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** The meaning of a column's header, in any of these languages; null: unknown. */
function meaningOf(head: string): Field | null {
  const wanted = plain(head)
  const found = FIELDS.find((field) => HEADS[field].split(' ').includes(wanted))
  return found ?? (/mail|信箱|郵件|邮件/.test(wanted) ? 'email' : null)
}

/** The meanings of the columns. If two columns would have the same meaning, only the first one gets it. */
export function matchColumns(heads: string[]): Columns {
  const found = heads.map(meaningOf)
  return found.map((field, index) =>
    field !== null && found.indexOf(field) < index ? null : field,
  )
}
