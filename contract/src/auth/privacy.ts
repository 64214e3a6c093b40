import type { Clause } from './agreement.ts';

export const privacy: readonly Clause[] = [
  {
    title: ['一、适用范围', '1. Scope'],
    paragraphs: [
      [
        '本政策说明远联（Farlink）平台如何处理控制台操作员和终端用户的个人信息。对操作员的账号信息，我们是个人信息处理者；对终端用户的信息，为其开户的运营商是个人信息处理者，我们受其委托在约定范围内处理，并依法独立履行网络安全义务。本政策与《服务协议》一并适用，所用词语含义相同。',
        'This policy explains how the Farlink platform handles the personal information of console users and subscribers. For the account data of console users we are the personal information handler. For the data of a subscriber, the operator that opened the account is the handler; we process it on its behalf within the agreed scope, and perform our own duties under cybersecurity law independently. This policy applies together with the Service Agreement and uses its terms in the same sense.',
      ],
    ],
  },
  {
    title: ['二、我们收集的信息', '2. What we collect'],
    paragraphs: [
      [
        '（一）身份信息：姓名、证件类型、证件号码、证件有效期、签发机关和证件照片，用于法定的实名登记。证件信息属于敏感个人信息，仅在取得单独同意后收集；拒绝提供将无法开通上网账号，但不影响浏览无需登录的页面。（二）联系与账号信息：手机号、邮箱、账号、角色和加密保存的密码。',
        '(a) Identity: name, type and number of the identity document, its validity, issuing authority and photograph, for the real-name registration required by law. These are sensitive personal information and are collected only with separate consent; without them an internet account cannot be opened, although pages that need no login can still be viewed. (b) Contact and account: phone number, email address, account name, role, and the password in encrypted form.',
      ],
      [
        '（三）设备信息：终端的MAC地址、IP地址、设备类型，以及网关的序列号、型号和版本。（四）网络日志：上下线时间、所用链路、流量与时长、应用类别，以及法律要求留存的访问记录。（五）位置信息：网关上报的船舶、车辆或者站点的位置，用于链路切换、电子围栏和区域合规；平台不单独采集个人的行踪。（六）交易信息：套餐、订单、充值和账单；支付账户和银行卡号由支付机构处理，我们不予保存。',
        '(c) Devices: MAC and IP address and type of the terminal, and the serial number, model and version of the gateway. (d) Network logs: times of connection and disconnection, links used, traffic and duration, categories of application, and the access records that the law requires to be kept. (e) Position: that of the vessel, vehicle or site as reported by the gateway, for link switching, geofences and compliance with regional rules; the platform does not track individuals separately. (f) Transactions: packages, orders, recharges and bills; payment accounts and card numbers are handled by the payment institution and not stored by us.',
      ],
    ],
  },
  {
    title: ['三、处理目的与依据', '3. Purposes and legal basis'],
    paragraphs: [
      [
        '我们为以下目的处理上述信息：核验身份和开通账号；认证、计费、结算和退款；配置网关、排除故障和保障链路质量；发送验证码、到期提醒和安全通知；防范欺诈与攻击；履行法定的实名、日志留存和安全审计义务。处理的依据为您的同意、订立和履行合同所必需，以及履行法定职责和义务所必需。我们不进行用户画像营销，不以自动化决策方式对您作出有重大影响的决定。超出上述目的使用的，将重新征得同意。',
        'We process this information to verify identity and open accounts; to authenticate, meter, settle and refund; to configure gateways, remove faults and keep up the quality of links; to send verification codes, expiry reminders and security notices; to prevent fraud and attacks; and to perform the legal duties of real-name registration, log retention and security audit. The legal bases are your consent, the necessity of concluding and performing a contract, and the necessity of performing legal duties. We do not profile users for marketing and take no decision that materially affects you by automated means alone. For any use beyond these purposes we ask for consent again.',
      ],
    ],
  },
  {
    title: ['四、Cookie与本地存储', '4. Cookies and local storage'],
    paragraphs: [
      [
        '控制台仅使用运行所必需的存储：会话信息保存在浏览器标签页内，关闭标签页即清除；语言、主题、最近活动时间和列表偏好保存在本机；验证码使用短时Cookie。您勾选“记住密码”时，我们保存账号和可随时撤销的记住令牌，不保存密码本身；取消勾选、重置密码或者清除浏览器数据即可删除。我们不使用广告或者跨站跟踪Cookie。',
        'The console uses only the storage it needs to work. The session is kept in the browser tab and disappears when the tab is closed; language, theme, time of last activity and list preferences are kept on your device; the captcha uses a short-lived cookie. When you tick “Remember password” we keep the account name and a remember token that can be revoked at any time, never the password itself; unticking the box, resetting the password or clearing browser data removes them. We use no advertising or cross-site tracking cookies.',
      ],
    ],
  },
  {
    title: ['五、保存期限', '5. Retention'],
    paragraphs: [
      [
        '个人信息存储于中华人民共和国境内。实名资料在账号存续期间保存，账号注销后按法律规定的最短期限保存；网络日志自产生之日起保存不少于六个月；交易记录自交易完成之日起保存不少于三年；操作日志保存不少于六个月；短信验证码五分钟后失效。期限届满后，我们将删除或者匿名化处理。',
        'Personal information is stored within the People’s Republic of China. Identity records are kept while the account exists and, after it is closed, for the shortest period the law prescribes. Network logs are kept for no less than six months from the day they arise; transaction records for no less than three years after completion; operator logs for no less than six months. SMS codes lapse after five minutes. When a period ends we delete the information or make it anonymous.',
      ],
    ],
  },
  {
    title: ['六、共享、委托与第三方服务', '6. Sharing, entrusted processing and third-party services'],
    paragraphs: [
      [
        '我们不出售个人信息。为完成服务，我们在必要范围内向下列第三方提供或者委托其处理信息：支付机构（订单号、金额）；短信与邮件服务商（手机号、邮箱、通知内容）；地图服务商（地图区域，不含个人身份）；卫星与地面通信运营商（设备标识、链路参数和法律要求的用户信息）。上级运营商可以按照平台权限查看其下级运营商的经营数据。我们与受托方签订协议并监督其处理活动；发生合并、分立时，接收方继续受本政策约束。',
        'We do not sell personal information. To the extent necessary for the service we provide information to, or have it processed by, payment institutions (order number, amount), SMS and mail providers (phone number, email address, content of the notice), map providers (the area of the map, without personal identity), and satellite and terrestrial carriers (device identifiers, link parameters and the subscriber data that the law requires). A parent operator can see the business data of the operators below it within the rights the platform gives. We bind processors by contract and supervise what they do; in a merger or division the recipient remains bound by this policy.',
      ],
    ],
  },
  {
    title: ['七、境外航行与跨境传输', '7. Vessels abroad and cross-border transfer'],
    paragraphs: [
      [
        '船舶航行于境外时，网络数据可能经由境外的卫星关口站、港口网络或者当地运营商传输，并可能依照当地法律登记用户信息。除此类通信所必需的传输外，我们不向境外提供个人信息；确需提供的，将依法进行个人信息保护影响评估，采用安全评估、标准合同或者认证等方式，告知接收方的名称、联系方式、处理目的和方式，并取得您的单独同意。',
        'When a vessel sails abroad, its traffic may pass through foreign satellite gateways, port networks or local carriers, and subscriber data may have to be registered under local law. Beyond the transmission that such communication needs, we do not provide personal information abroad. Where it proves necessary we will carry out an impact assessment, use the security assessment, standard contract or certification that the law provides for, tell you the recipient’s name, contact details, purpose and manner of processing, and obtain your separate consent.',
      ],
    ],
  },
  {
    title: ['八、您的权利', '8. Your rights'],
    paragraphs: [
      [
        '您有权查阅、复制、更正、补充和删除您的个人信息，撤回同意，要求转移信息，注销账号，并要求我们解释处理规则。操作员可以在控制台自行修改手机号和密码；终端用户可以通过认证门户或者向为其开户的运营商提出请求。我们核验身份后在十五个工作日内答复；法律要求保存的信息将在法定期限届满后删除。撤回同意不影响撤回前处理的效力。',
        'You have the right to consult, copy, correct, complete and delete your personal information, to withdraw consent, to have information transferred, to close your account and to have our rules of processing explained. Console users can change their own phone number and password in the console; subscribers can make requests through the captive portal or to the operator that opened their account. After verifying identity we answer within fifteen working days; information that the law requires to be kept is deleted once its period ends. Withdrawal of consent does not affect processing that took place before it.',
      ],
    ],
  },
  {
    title: ['九、未成年人', '9. Minors'],
    paragraphs: [
      [
        '控制台不向未成年人开放。不满十四周岁的终端用户开通账号，应当由其父母或者其他监护人同意并使用监护人的证件办理。我们发现未经同意收集了未成年人信息的，将立即删除。',
        'The console is not open to minors. For a subscriber under the age of fourteen, an account requires the consent of a parent or other guardian and is opened with the guardian’s identity document. If we find that a minor’s information was collected without consent we delete it at once.',
      ],
    ],
  },
  {
    title: ['十、安全措施', '10. Security'],
    paragraphs: [
      [
        '我们采取与风险相称的措施：传输加密，密码以不可逆方式保存，密钥和敏感字段加密存储，按角色和管理范围控制访问，重要操作留痕，登录失败锁定和超时退出，定期备份与演练。发生或者可能发生信息泄露、篡改、丢失的，我们将立即补救，依法报告主管部门，并将事件的情况、可能的影响和您可以采取的措施告知您。',
        'We take measures in proportion to the risk: encrypted transmission, passwords stored irreversibly, encryption of keys and sensitive fields, access control by role and management scope, traces of important operations, lockout after failed logins and expiry of idle sessions, regular backups and drills. If information has been, or may have been, leaked, altered or lost, we remedy it at once, report to the authorities as the law requires, and tell you what happened, what it may mean and what you can do.',
      ],
    ],
  },
  {
    title: ['十一、依法审计与披露', '11. Audit and disclosure required by law'],
    paragraphs: [
      [
        '为维护国家安全、公共安全或者侦查犯罪，有权机关依照法定程序要求提供信息的，我们将在核验其身份和法律文书后，在要求的范围内提供，并留存记录。',
        'Where a competent authority, following the procedure laid down by law, requires information for national security, public security or the investigation of crime, we provide it within the scope required after checking the authority’s identity and its legal documents, and keep a record of having done so.',
      ],
    ],
  },
  {
    title: ['十二、政策更新与联系', '12. Changes and contact'],
    paragraphs: [
      [
        '本政策更新时，我们将在登录页公布；涉及处理目的、信息种类或者您的权利的重大变更，将另行通知并重新征得同意。您可以通过控制台的问题反馈功能或者服务合同载明的联系方式，与个人信息保护负责人联系；对答复不满意的，可以向网信、电信等主管部门投诉，或者向有管辖权的人民法院提起诉讼。本政策中英文文本不一致的，以中文文本为准。',
        'Updates of this policy are published on the login page; of a material change in the purposes of processing, the kinds of information or your rights we notify you separately and ask for consent again. The person in charge of personal information protection can be reached through the problem feedback function of the console or at the contact details given in the service contract. If you are not satisfied with the answer you may complain to the cyberspace, telecommunications or other competent authority, or bring an action before the competent people’s court. Where the Chinese and English texts of this policy differ, the Chinese text prevails.',
      ],
    ],
  },
];
