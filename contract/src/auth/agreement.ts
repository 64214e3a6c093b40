import type { Text } from '../kit/text.ts';

export interface Clause {
  readonly title: Text;
  readonly paragraphs: readonly Text[];
}

export const agreement: readonly Clause[] = [
  {
    title: ['一、定义与接受', '1. Definitions and acceptance'],
    paragraphs: [
      [
        '本协议由您与远联（Farlink）卫星宽带网关服务平台的运营方（以下称“我们”）订立。“平台”指供各级运营商管理网关、账号、套餐与数据的网页控制台及其接口；“运营商”指平台管理方及各级虚拟网络运营商（VNO）；“操作员”指持有控制台账号的人员；“终端用户”指通过船舶、车辆或固定站点上的网关接入互联网的个人或单位；“网关”指安装在现场的卫星宽带智能网关设备。',
        'This agreement is made between you and the operator of the Farlink satellite broadband gateway service platform (“we”, “us”). “Platform” means the web console, and its interfaces, with which operators at every level manage gateways, accounts, packages and data. “Operator” means the platform owner and the virtual network operators (VNOs) at every level below it. “Console user” means a person who holds a console account. “Subscriber” means a person or organisation that reaches the internet through a gateway on a vessel, a vehicle or a fixed site. “Gateway” means the satellite broadband intelligent gateway installed there.',
      ],
      [
        '您勾选“我已阅读并同意”并登录，即表示您已阅读、理解并接受本协议和《隐私政策》。涉及费用、责任限制和争议解决的条款与您有重大利害关系，请特别注意。如您代表单位使用平台，您确认已获得该单位授权，本协议对该单位同样具有约束力。如不同意，请勿登录或使用。',
        'By ticking “I have read and agree to” and logging in, you confirm that you have read, understood and accepted this agreement and the Privacy Policy. The clauses on fees, limitation of liability and dispute resolution affect your interests materially; please give them particular attention. If you act for an organisation, you confirm that it has authorised you, and this agreement binds it as well. If you do not agree, do not log in or use the platform.',
      ],
    ],
  },
  {
    title: ['二、服务范围', '2. Scope of the service'],
    paragraphs: [
      [
        '平台提供运营商与子账号管理、终端用户开户与认证、网关配置与升级、套餐与充值、账单、流量与应用统计、认证门户、通知和日志等功能。您可以使用的功能取决于所属运营商的授权和账号的角色。',
        'The platform provides the management of operators and sub-accounts, the opening and authentication of subscriber accounts, gateway configuration and upgrades, packages and recharging, billing, traffic and application statistics, captive portals, notices and logs. Which functions you can use depends on what your operator has authorised and on the role of your account.',
      ],
      [
        '卫星与地面链路的带宽、时延和覆盖受天线遮挡、海况、气象、卫星资源以及航行区域监管要求的影响。平台展示的速率、位置和在线状态仅供运营管理参考，不得作为航行、遇险通信或安全生产的依据。',
        'The bandwidth, delay and coverage of satellite and terrestrial links depend on antenna obstruction, sea state, weather, satellite capacity and the regulatory requirements of the area in which a vessel sails. The speeds, positions and online states shown by the platform are for operational reference only and must not be relied on for navigation, distress communication or safety at work.',
      ],
    ],
  },
  {
    title: ['三、实名认证', '3. Real-name verification'],
    paragraphs: [
      [
        '依据《中华人民共和国网络安全法》《中华人民共和国反电信网络诈骗法》《中华人民共和国电信条例》等规定，为终端用户办理网络接入服务，应当要求其提供真实身份信息并进行核验登记。办理人应当出示本人有效证件；单位办理的，应当同时登记单位证照和经办人信息。不提供真实身份信息的，我们和运营商依法不得为其提供服务。',
        'Under the Cybersecurity Law, the Law on Combating Telecom and Online Fraud and the Telecommunications Regulations of the People’s Republic of China, anyone who provides network access must require the subscriber’s true identity, verify it and register it. An applicant must present a valid identity document of his or her own; an organisation must also register its licence and the person who acts for it. We and the operators are forbidden by law to serve anyone who does not provide a true identity.',
      ],
      [
        '运营商应当对柜台开户、自助注册、批量开户和临时卡账号的实名资料的真实、完整和及时更新负责，不得冒用他人证件开户，不得出租、出借或者转售已实名的账号。资料不实或者证件失效的，我们可以要求限期更正，逾期未更正的可以暂停或者终止相关账号的服务。',
        'The operator is responsible for the truth, completeness and timely renewal of the identity records of accounts opened at the counter, by self-registration, in batches or as temporary cards. It must not open accounts with another person’s documents, nor let, lend or resell an account that has been verified. Where a record is untrue or a document has expired, we may require correction within a stated time, and suspend or end the service of the account if none is made.',
      ],
    ],
  },
  {
    title: ['四、账号与安全', '4. Accounts and security'],
    paragraphs: [
      [
        '控制台账号仅限本人使用。您应当妥善保管密码、短信验证码和授权码，不在公用设备上使用“记住密码”，并为员工设置与其职责相称的角色。经您的账号完成的操作视为您的行为，平台会将其记入操作日志；以下级运营商或者子账号身份登录的，日志同时记录双方身份。',
        'A console account is for its holder alone. Keep your password, SMS codes and authorization codes safe, do not use “Remember password” on a shared device, and give staff roles that match their duties. Operations performed with your account are treated as yours and are written to the operator log; when you log in as a lower-level operator or a sub-account, the log records both identities.',
      ],
      [
        '连续输错密码将导致账号暂时锁定，长时间未操作将自动退出。发现账号被盗用或者存在安全漏洞的，请立即修改密码并通知我们。',
        'Repeated wrong passwords lock an account for a time, and a long period without activity ends the session. If you find that an account has been misused, or discover a vulnerability, change the password and tell us at once.',
      ],
    ],
  },
  {
    title: ['五、使用规范', '5. Acceptable use'],
    paragraphs: [
      [
        '您不得利用平台或者网关从事以下活动：制作、传播法律法规禁止的信息；实施诈骗、侵入、扫描、攻击或者窃取数据；绕过认证、计费、限速或者审计；擅自改动网关的软硬件、频率、功率或者设备标识；未经许可向公众转售网络接入；在禁止使用卫星终端的水域或者国家违规开通；以及其他危害国家安全、公共利益或者他人合法权益的行为。',
        'You must not use the platform or a gateway to produce or spread information that the law forbids; to commit fraud, intrude, scan, attack or steal data; to evade authentication, billing, rate limits or audit; to alter the software, hardware, frequency, power or identifiers of a gateway without authority; to resell network access to the public without a licence; to operate a terminal in waters or countries where satellite terminals are prohibited; or in any other way that harms national security, the public interest or the lawful rights of others.',
      ],
      [
        '对违反前款的账号、设备或者运营商，我们可以视情节采取警示、限制功能、暂停或者终止服务等措施，保存有关记录，并依法向主管部门报告。',
        'Where an account, a device or an operator breaks these rules we may, according to the gravity of the case, warn, restrict functions, suspend or end the service, preserve the relevant records and report to the authorities as the law requires.',
      ],
    ],
  },
  {
    title: ['六、费用与退款', '6. Fees and refunds'],
    paragraphs: [
      [
        '套餐的价格、周期、流量或者时长以办理时页面展示并经您确认的内容为准，金额以人民币计。流量按网关计量数据结算，以1024为进位。对账单有异议的，请在账单生成之日起三个月内提出，我们将在十五日内核查并答复。',
        'The price, cycle, volume and duration of a package are those shown on the page and confirmed by you at the time of purchase, in Chinese yuan. Traffic is settled on the gateway’s own metering, in units of 1024. Objections to a bill should be raised within three months of its issue; we will examine and answer them within fifteen days.',
      ],
      [
        '尚未生效的套餐可以申请全额退款；已经生效的周期套餐按未使用的完整周期退还；流量、时长套餐和充值卡一经使用，已使用部分不予退还。因我们的原因致使服务无法使用的，按受影响的时间顺延或者退费。退款原路退回，法律另有规定的从其规定。',
        'A package that has not taken effect can be refunded in full. For a periodic package in effect, the complete cycles not yet used are refunded. The used part of a volume or duration package or of a recharge card is not refunded. Where the service is unusable for reasons on our side, the affected time is added to the term or refunded. Refunds return by the way the payment came, unless the law provides otherwise.',
      ],
    ],
  },
  {
    title: ['七、第三方服务', '7. Third-party services'],
    paragraphs: [
      [
        '支付、短信、邮件、地图以及卫星和地面通信由相应的持牌机构或者运营商提供，您使用这些服务时还应当遵守其规则。第三方服务的变更、中断或者收费由其负责，我们将协助您与其沟通，并在我们选任和管理的过错范围内承担责任。',
        'Payment, SMS, mail, maps and satellite and terrestrial communication are provided by the licensed institutions and carriers concerned, whose own rules also apply when you use them. They answer for changes, interruptions and charges of their services; we help you to deal with them, and we are liable to the extent that we were at fault in choosing or supervising them.',
      ],
    ],
  },
  {
    title: ['八、依法审计与协助', '8. Audit and assistance required by law'],
    paragraphs: [
      [
        '我们与运营商依法留存网络日志不少于六个月，并对认证账号、访问站点等信息进行安全审计。有权机关依照法定程序调取资料或者要求停止传输违法信息的，我们和运营商应当予以配合。运营商仅可为履行法定义务查阅审计数据，不得用于其他目的，导出审计数据的操作会记入操作日志。',
        'We and the operators keep network logs for no less than six months as the law requires, and carry out a security audit of authenticated accounts, visited sites and similar records. Where a competent authority, following the procedure laid down by law, requests material or orders the transmission of unlawful information to be stopped, we and the operators must comply. Operators may consult audit data only to perform legal duties and for no other purpose; the export of audit data is written to the operator log.',
      ],
    ],
  },
  {
    title: ['九、服务中断与不可抗力', '9. Interruption and force majeure'],
    paragraphs: [
      [
        '计划内的维护和升级，我们将提前通过公告通知。因台风、暴雨、日凌、雨衰、地震、战争、政府行为、卫星或者地面站故障、海缆中断、电力中断、网络攻击等不能预见、不能避免且不能克服的情形导致服务中断或者数据延迟的，受影响一方在影响范围内免除责任，但应当及时通知并采取合理措施减少损失。',
        'Planned maintenance and upgrades are announced in advance. Where typhoon, heavy rain, sun outage, rain fade, earthquake, war, acts of government, failure of a satellite or an earth station, a cable cut, loss of power, an attack on the network or another event that cannot be foreseen, avoided or overcome interrupts the service or delays data, the affected party is released from liability to that extent, but must give notice in good time and take reasonable steps to reduce the loss.',
      ],
    ],
  },
  {
    title: ['十、责任限制', '10. Limitation of liability'],
    paragraphs: [
      [
        '我们以合理的技能和谨慎提供服务，但不保证链路在任何时间和海域均不中断。除因故意或者重大过失造成的损失、人身损害以及法律规定不得免除的责任外，我们对因服务产生的损失承担的赔偿总额，以损失发生前十二个月内您就受影响的服务实际支付的费用为限，且不包括利润损失、航次延误等间接损失。',
        'We provide the service with reasonable skill and care but do not warrant that a link will be uninterrupted at all times and in all waters. Except for loss caused intentionally or by gross negligence, for personal injury, and for liability that the law does not allow to be excluded, our total liability for loss arising from the service is limited to what you actually paid for the affected service in the twelve months before the loss, and does not cover indirect loss such as loss of profit or delay of a voyage.',
      ],
    ],
  },
  {
    title: ['十一、变更与终止', '11. Changes and termination'],
    paragraphs: [
      [
        '我们可以因法律、业务或者技术的变化修改本协议，并至少提前七日在登录页或者以公告公布；重大修改将在您登录时再次征得同意。您不同意修改的，可以停止使用并申请注销账号。协议终止后，已经产生的费用、责任和法定留存义务不受影响。',
        'We may amend this agreement when the law, the business or the technology changes, publishing the amendment on the login page or by notice at least seven days in advance; for a material amendment we ask for your consent again when you log in. If you disagree you may stop using the platform and ask for your account to be closed. Termination does not affect fees and liabilities that have already arisen, nor duties of retention imposed by law.',
      ],
    ],
  },
  {
    title: ['十二、法律适用与争议解决', '12. Governing law and disputes'],
    paragraphs: [
      [
        '本协议适用中华人民共和国法律（不含港澳台地区法律）。因本协议产生的争议，双方应当先行协商；协商不成的，任何一方可以向我们住所地有管辖权的人民法院提起诉讼。本协议以中文和英文写成，两种文本不一致的，以中文文本为准。',
        'This agreement is governed by the law of the People’s Republic of China (for this purpose excluding that of Hong Kong, Macao and Taiwan). The parties shall first try to settle a dispute by negotiation; failing that, either may bring an action before the competent people’s court at our place of domicile. This agreement is written in Chinese and English; where the two differ, the Chinese text prevails.',
      ],
    ],
  },
  {
    title: ['十三、联系我们', '13. Contact'],
    paragraphs: [
      [
        '对本协议或者服务有疑问、投诉或者建议，请通过控制台的问题反馈功能，或者按照服务合同载明的联系方式与为您开通账号的运营商或者我们联系，我们将在十五个工作日内答复。',
        'Questions, complaints and suggestions about this agreement or the service can be sent through the problem feedback function of the console, or to the operator that opened your account or to us at the contact details given in the service contract. We answer within fifteen working days.',
      ],
    ],
  },
];
