import { Link } from 'react-router'
import { CompilePieces } from '../../components/code/compile-pieces.tsx'
import { lineId } from './line-id.ts'
import classes from './submission-page.module.css'

/** What the compiler said, with links to the lines it names. */
export function CompileMessage({ text }: { text: string }) {
  return (
    <pre className={`app-card ${classes.message}`} tabIndex={0}>
      <CompilePieces text={text}>
        {(place, line) => (
          <Link to={{ hash: lineId(line) }} replace preventScrollReset>
            {place}
          </Link>
        )}
      </CompilePieces>
    </pre>
  )
}
