import { expect, test } from 'vitest';
import { withoutPasswords } from '../cli/queue.ts';
import { QueueError, redisOptions, shownAddress } from './connection.ts';

test('an address says where Redis is, and how to get in', () => {
  expect(redisOptions({ url: 'redis://localhost' })).toMatchObject({ host: 'localhost', port: 6379 });
  expect(redisOptions({ url: 'rediss://me:p%40ss@db.example:7000/3' })).toMatchObject({
    host: 'db.example',
    port: 7000,
    username: 'me',
    password: 'p@ss',
    db: 3,
    tls: { servername: 'db.example' },
  });
  expect(redisOptions({ url: 'redis://[::1]:1', password: 'given' })).toMatchObject({
    host: '::1',
    password: 'given',
  });
  for (const url of ['', 'localhost:6379', 'http://x', 'redis://x/name'])
    expect(() => redisOptions({ url })).toThrow(QueueError);
});

test('passwords are not shown', () => {
  expect(shownAddress({ url: 'rediss://me:secret@db.example:7000/3' })).toBe('rediss://db.example:7000/3');
  expect(withoutPasswords(['check', '--queue=redis://:secret@h:1', 'a@b.pml'])).toEqual([
    'check',
    '--queue=redis://h:1',
    'a@b.pml',
  ]);
});
