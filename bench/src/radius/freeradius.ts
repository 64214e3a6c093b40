import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';

const sqlFolder = '/etc/freeradius/3.0/mods-config/sql/main/postgresql';

interface Options {
  readonly databaseUrl: string;
  readonly authPort: number;
  readonly acctPort: number;
  readonly secret: string;
  readonly accounts: readonly string[];
  readonly password: string;
}

/** Tables of Debian's package with cleartext passwords and Simultaneous-Use. */
const seed = async ({ databaseUrl, accounts, password }: Options) => {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  await pool.query(readFileSync(join(sqlFolder, 'schema.sql'), 'utf8'));
  const insert = `insert into radcheck (username, attribute, op, value) select name, $2, ':=', $3 from unnest($1::text[]) as u(name)`;
  await pool.query(insert, [accounts, 'Cleartext-Password', password]);
  await pool.query(insert, [accounts, 'Simultaneous-Use', '255']);
  await pool.query(
    `insert into radreply (username, attribute, op, value) select name, 'Session-Timeout', ':=', '3600' from unnest($1::text[]) as u(name)`,
    [accounts],
  );
  await pool.query('analyze');
  await pool.end();
};

const configOf = ({ databaseUrl, authPort, acctPort, secret }: Options, folder: string) => {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const radiusDb = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`;
  return `
prefix = /usr
libdir = /usr/lib/freeradius
logdir = ${folder}
run_dir = ${folder}
raddbdir = /etc/freeradius/3.0
modconfdir = /etc/freeradius/3.0/mods-config
max_requests = 16384
log {
  destination = stdout
}
client bench {
  ipaddr = 127.0.0.0/8
  secret = ${secret}
}
thread pool {
  start_servers = 8
  max_servers = 8
  min_spare_servers = 8
  max_spare_servers = 8
  max_queue_size = 65536
}
modules {
  pap {
  }
  chap {
  }
  expr {
  }
  sql {
    dialect = "postgresql"
    driver = "rlm_sql_postgresql"
    radius_db = "${radiusDb}"
    acct_table1 = "radacct"
    acct_table2 = "radacct"
    postauth_table = "radpostauth"
    authcheck_table = "radcheck"
    groupcheck_table = "radgroupcheck"
    authreply_table = "radreply"
    groupreply_table = "radgroupreply"
    usergroup_table = "radusergroup"
    group_attribute = "SQL-Group"
    read_groups = no
    read_clients = no
    client_table = "nas"
    pool {
      start = 8
      min = 8
      max = 8
    }
    $INCLUDE ${sqlFolder}/queries.conf
  }
}
server default {
  listen {
    type = auth
    ipaddr = 127.0.0.1
    port = ${authPort}
  }
  listen {
    type = acct
    ipaddr = 127.0.0.1
    port = ${acctPort}
  }
  authorize {
    sql
    pap
  }
  authenticate {
    Auth-Type PAP {
      pap
    }
  }
  session {
    sql
  }
  preacct {
    update request {
      Acct-Unique-Session-Id := "%{md5:%{User-Name},%{Acct-Session-Id},%{NAS-Identifier}}"
    }
  }
  accounting {
    sql
  }
  post-auth {
    sql
  }
}
`;
};

/** Debian's FreeRADIUS on PostgreSQL. */
export const startFreeradius = async (options: Options) => {
  await seed(options);
  const folder = mkdtempSync(join(tmpdir(), 'farlink-freeradius-'));
  writeFileSync(join(folder, 'radiusd.conf'), configOf(options, folder));
  const child = spawn(process.env.FREERADIUS ?? '/usr/sbin/freeradius', ['-f', '-l', 'stdout', '-d', folder, '-n', 'radiusd'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((ready, failed) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (/Ready to process requests/.test(output)) ready();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => failed(new Error(`FreeRADIUS ended: ${output}`)));
  });
  const stop = () =>
    new Promise<void>((done) => {
      child.once('exit', () => {
        rmSync(folder, { recursive: true, force: true });
        done();
      });
      child.kill('SIGKILL');
    });
  return { pid: child.pid ?? 0, stop };
};
