/**
 * Chinese text of each setting, by its English text: a changed text is missing here until it is translated again.
 * @type {Readonly<Record<string, string>>}
 */
export const settingsInChinese = {
  'TCP port of the console and the API; 0 selects a free port': '控制台和 API 的 TCP 端口；0 表示自动选择空闲端口',
  'Address to listen on': '监听地址',
  'http(s) URL at which gateways and payment providers reach this server; default: the listen address':
    '网关和支付渠道访问本服务的 http(s) URL；默认：监听地址',
  'TCP port of HTTPS for the domains of VNOs; 0 selects a free port; default: no HTTPS':
    'VNO 域名的 HTTPS 的 TCP 端口；0 表示自动选择空闲端口；默认：不打开 HTTPS',
  'Port at which browsers reach HTTPS_PORT, for redirects; default: HTTPS_PORT':
    '浏览器访问 HTTPS_PORT 所用的端口，用于跳转；默认：HTTPS_PORT',
  'PEM file of the certificate chain for PUBLIC_URL and unknown names; default: self-signed, in DATA_DIR':
    'PUBLIC_URL 和未知名称的证书链 PEM 文件；默认：自签名，保存在 DATA_DIR',
  'PEM file of the private key of HTTPS_TLS_CERT': 'HTTPS_TLS_CERT 的私钥 PEM 文件',
  'Addresses of the DNS resolvers that check the ownership of domains, comma separated; default: those of the system':
    '检查域名所有权的 DNS 解析服务器地址，逗号分隔；默认：系统的解析服务器',
  'Directory URL of a certificate authority (RFC 8555) that issues certificates for domains of VNOs; default: none':
    '为 VNO 域名签发证书的证书机构（RFC 8555）的目录 URL；默认：无',
  'Mail address that the certificate authority may write to': '证书机构可以联系的邮箱',
  'PEM file of CA certificates for ACME_DIRECTORY': 'ACME_DIRECTORY 的 CA 证书 PEM 文件',
  'Folder for the embedded database, the uploaded files and the secret key': '内置数据库、上传文件和密钥所在的目录',
  'postgres:// URL of PostgreSQL 15 or newer; without it the embedded PostgreSQL runs':
    'PostgreSQL 15 或更新版本的 postgres:// URL；未设置时使用内置 PostgreSQL',
  'Roles of this process, comma separated: api, worker, field, radius': '本进程的角色，逗号分隔：api、worker、field、radius',
  'Largest number of database connections of this process': '本进程的最大数据库连接数',
  'on: DATA_DIR/files is a folder that all processes with the roles api and worker share':
    'on：DATA_DIR/files 是所有 api 和 worker 角色的进程共享的目录',
  'TCP port with /healthz and /metrics of this process, for any role; default: none, the role api serves both on PORT':
    '为任意角色的进程提供 /healthz 和 /metrics 的 TCP 端口；默认：无，api 角色在 PORT 上提供两者',
  'Name of this process on the status page; default: host name and process id': '本进程在系统状态页面上的名称；默认：主机名和进程号',
  'Host name or IP address at which other processes reach this one; default: HOST, or the first address of the machine':
    '其他进程访问本进程的主机名或 IP 地址；默认：HOST，或本机的第一个地址',
  'Seconds between SIGTERM and the end of the listeners, in which /healthz answers 503 and calls are still served; set it behind a proxy':
    '收到 SIGTERM 到关闭监听之间的秒数，期间 /healthz 返回 503，调用照常处理；在代理后面时设置',
  'Seconds in which a new connection to any port must finish its handshake, login or first request':
    '任何端口上的新连接完成握手、登录或首个请求的时限（秒）',
  'Largest number of connections of one port that have not done so; half of them from one address; default: 10000, or an eighth of the open files allowed':
    '一个端口上尚未完成上述步骤的最大连接数，同一地址最多占一半；默认：10000，或允许打开文件数的八分之一',
  'Mail addresses for alarms of the system status, comma separated; default: accounts of the platform with an address and the page':
    '接收系统状态告警的邮箱，逗号分隔；默认：平台上有邮箱并且有该页面权限的账号',
  'postgres:// URL of a streaming replica of DATABASE_URL, for lists of logs, traffic and audit data and for exports; default: none':
    'DATABASE_URL 的流复制副本的 postgres:// URL，用于日志、流量和审计数据的列表以及导出；默认：无',
  'Largest number of connections of this process to DATABASE_READ_URL': '本进程到 DATABASE_READ_URL 的最大连接数',
  'TCP port of the MQTT endpoint for gateways; 0 selects a free port; default: 1883, or 8883 with a certificate':
    '网关 MQTT 端点的 TCP 端口；0 表示自动选择空闲端口；默认：1883，有证书时 8883',
  'Listen address of the MQTT endpoint for gateways': '网关 MQTT 端点的监听地址',
  'PEM file of the certificate chain of the MQTT endpoint; without it, MQTT runs without TLS':
    'MQTT 端点的证书链 PEM 文件；未设置时 MQTT 不使用 TLS',
  'PEM file of the private key of MQTT_TLS_CERT': 'MQTT_TLS_CERT 的私钥 PEM 文件',
  'PEM file of the CA for client certificates; a gateway with such a certificate (CN = SN) needs no key':
    '客户端证书的 CA PEM 文件；有这种证书（CN = SN）的网关不需要密钥',
  'mqtt(s)://user:password@host:port of an external MQTT 5 broker for gateways; MQTT_PORT then opens only if set too':
    '网关所用外部 MQTT 5 broker 的 mqtt(s)://user:password@host:port；此时只有同时设置 MQTT_PORT 才打开该端口',
  'PEM file of CA certificates for the broker': 'broker 的 CA 证书 PEM 文件',
  'Mosquitto password file that the console maintains, with the console and each gateway that has a key':
    '由控制台维护的 Mosquitto 密码文件，含控制台和每台有密钥的网关',
  'TCP port for SSH tunnels of gateways (remote access); 0 selects a free port; default: 2222':
    '网关 SSH 隧道（远程访问）的 TCP 端口；0 表示自动选择空闲端口；默认：2222',
  'Listen address for SSH tunnels': 'SSH 隧道的监听地址',
  'host or host:port at which gateways reach REMOTE_SSH_PORT; default: the host of PUBLIC_URL, else 127.0.0.1':
    '网关访问 REMOTE_SSH_PORT 的主机或 主机:端口；默认：PUBLIC_URL 的主机，否则 127.0.0.1',
  'TCP port of the web pages behind gateways, a separate origin for each session; 0 selects a free port; default: 8091':
    '网关内部网页的 TCP 端口，每个会话使用独立的源；0 表示自动选择空闲端口；默认：8091',
  'Number of ports after REMOTE_WEB_PORT that may be opened, for consoles opened by IP address or by a name without subdomains':
    'REMOTE_WEB_PORT 之后可以打开的端口数，用于以 IP 地址或没有子域名的名称打开控制台时',
  'Public URL of REMOTE_WEB_PORT with * for the session, https://*.remote.example.com; default: names below localhost, or ports':
    'REMOTE_WEB_PORT 的公网 URL，用 * 表示会话，https://*.remote.example.com；默认：localhost 下的名称，或端口',
  'UDP port of RADIUS authentication; 0 for none': 'RADIUS 认证的 UDP 端口；0 表示不打开',
  'UDP port of RADIUS accounting; 0 for none': 'RADIUS 计费的 UDP 端口；0 表示不打开',
  'Listen address of RADIUS and RadSec': 'RADIUS 和 RadSec 的监听地址',
  'TCP port of RadSec (RADIUS over TLS, PSK or certificate); 0 for none':
    'RadSec（基于 TLS 的 RADIUS，PSK 或证书）的 TCP 端口；0 表示不打开',
  'PEM file of the certificate chain of RadSec; without it only clients with PSK can connect':
    'RadSec 的证书链 PEM 文件；未设置时只能用 PSK 连接',
  'PEM file of the private key of RADSEC_TLS_CERT': 'RADSEC_TLS_CERT 的私钥 PEM 文件',
  'PEM file of the CA for RadSec client certificates; the common name is the identifier of the NAS':
    'RadSec 客户端证书的 CA PEM 文件；通用名是 NAS 的标识',
  'on or off: load demo data into an empty database; default: on with the embedded database, else off':
    'on 或 off：向空数据库载入演示数据；默认：使用内置数据库时 on，否则 off',
  'Number of simulated gateways that run with the demo data, or off; npm start runs 12':
    '随演示数据运行的模拟网关数量，或 off；npm start 运行 12 台',
  'Port on 127.0.0.1 of the local test provider for WeChat Pay and Alipay, 0 for none; default: 8090 with demo data, else 0':
    '微信支付和支付宝的本地测试渠道在 127.0.0.1 上的端口，0 表示不打开；默认：有演示数据时 8090，否则 0',
  'Password of the platform administrator on an empty database; default: generated and printed once':
    '空数据库中平台管理员的密码；默认：自动生成，只输出一次',
  'Key that encrypts stored secrets: 32 bytes, hex or base64; default: generated into DATA_DIR/secret.key':
    '加密所存机密数据的密钥：32 字节，十六进制或 base64；默认：自动生成到 DATA_DIR/secret.key',
  '4 letters or digits that every captcha accepts, for tests; refused with NODE_ENV=production':
    '每次验证码都接受的 4 个字母或数字，用于测试；NODE_ENV=production 时拒绝',
  'fatal, error, warn, info, debug, trace, silent; default: info with NODE_ENV=production, else warn':
    'fatal、error、warn、info、debug、trace、silent；默认：NODE_ENV=production 时 info，否则 warn',
  'production for a production system': '生产环境设为 production',
  'Proxies whose X-Forwarded-For is trusted: off, on, or addresses, comma separated':
    '信任哪些代理的 X-Forwarded-For：off、on，或逗号分隔的地址',
  'Number of wrong passwords in a row that locks an account': '连续输错多少次密码后锁定账号',
  'Minutes that an account stays locked': '账号锁定的分钟数',
  'Retention in days of load, tracks and traffic of links, in whole weeks; at least 100, because gateways may report the last 90':
    '负载、轨迹和链路流量的保留天数，按整周；至少 100，因为网关可能上报最近 90 天的数据',
  'Retention in days of reported traffic of users, applications and gateways, in whole weeks; the tables per hour and day remain':
    '上报的用户、应用和网关流量的保留天数，按整周；按小时和按天的表不受影响',
  'Retention in days of traffic per hour and day, in whole partitions': '按小时和按天的流量的保留天数，按整个分区',
  'Retention in days of events, device logs, finished commands, ended DPI reporting tasks and sessions; at least 366, because a query can cover a year':
    '事件、设备日志、已结束的命令、已结束的 DPI 上报任务和会话的保留天数；至少 366，因为一次查询可以跨一年',
  'Retention in days of audit data, in whole weeks, at least 180; single kinds may differ: 200,url=180 (auth, identity, url, forum, mail, terminal)':
    '审计数据的保留天数，按整周，至少 180；各类可以不同：200,url=180（auth、identity、url、forum、mail、terminal）',
  'S3-compatible bucket with object lock that gets checkpoints of the audit log, https://host/bucket; uses S3_ACCESS_KEY':
    '保存审计日志检查点的带对象锁的 S3 兼容存储桶，https://host/bucket；使用 S3_ACCESS_KEY',
  'Mail addresses that get a checkpoint of the audit log each day, comma separated': '每天接收审计日志检查点的邮箱，逗号分隔',
  'http(s) endpoint that sends SMS; without it messages stay in the built-in outbox':
    '发送短信的 http(s) 接口；未设置时短信保存在内置发件箱',
  'Secret that signs requests to SMS_URL': '对发往 SMS_URL 的请求签名的密钥',
  'on or off: allow mail servers of VNOs with private or loopback addresses; default: on with demo data, else off':
    'on 或 off：允许 VNO 的邮件服务器使用内网或回环地址；默认：有演示数据时 on，否则 off',
  'PEM file of additional CA certificates for mail servers': '邮件服务器的附加 CA 证书 PEM 文件',
  'S3-compatible bucket for files, https://host/bucket; without it files are stored in DATA_DIR/files':
    '保存文件的 S3 兼容存储桶，https://host/bucket；未设置时文件保存在 DATA_DIR/files',
  'Access key of FILES_URL': 'FILES_URL 的访问密钥',
  'Secret key of FILES_URL': 'FILES_URL 的私有密钥',
  'Region of FILES_URL': 'FILES_URL 的区域',
};
