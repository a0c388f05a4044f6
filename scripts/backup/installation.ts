/** What a backup is made of and restored into: a database and a bucket, local or on Cloudflare. */
import type { Database } from '../deploy/database.ts'

/** An object in a bucket. */
export interface StoredObject {
  key: string
  sizeBytes: number
  /** The MD5 of an object that was stored in one piece; with a `-` in it where the object came in parts. */
  etag: string
}

export interface Bucket {
  list(): AsyncIterable<StoredObject>
  /** An object's content; null: there is none. */
  read(key: string): Promise<ReadableStream<Uint8Array> | null>
  /** Stores a file's content. */
  write(key: string, file: string): Promise<void>
}

export interface Installation extends Database {
  /** What is typed to replace it. */
  name: string
  bucket: Bucket
  close(): Promise<void>
}
