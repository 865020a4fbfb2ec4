/** Passwords and keys as programs take them: on command lines, in their files, in their settings. */
import { placed, type VendorForm } from "./vendor_form.ts";

const PUTTY =
  "PuTTY-User-Key-File-3: ssh-ed25519\\nEncryption: none\\nComment: k\\nPublic-Lines: 1\\nAAAAC3NzaC1lZDI1NTE5AAAAIB\\nPrivate-Lines: 1\\n$\\nPrivate-MAC: 12ab";

/** Contexts that hold a secret in one place. */
export const PROGRAM_FORMS: readonly VendorForm[] = [
  ...placed(`
    mysql joined  {p14}  mysql -h db.internal -u app -p$ shop
    mysql quoted  {p14}  mysql -uroot -p'$' -e 'select 1'
    mysqldump  {p14}  mysqldump -u root -p$ shop > shop.sql
    mariadb long  {p14}  mariadb --user=app --password=$ shop
    psql URL  {a18}  psql postgresql://app:$@db.internal:5432/shop
    psql keywords  {p14}  psql "host=db.internal user=app password=$ dbname=shop"
    psql variable  {p14}  PGPASSWORD=$ psql -h db.internal -U app shop
    redis-cli short  {p18}  redis-cli -h cache.internal -a $ ping
    redis-cli long  {p18}  redis-cli --pass $ ping
    redis URL  {a20}  redis://:$@cache.internal:6379/0
    mongosh  {p14}  mongosh --host db.internal -u admin -p $ admin
    mongodb URL  {a18}  mongodb+srv://app:$@cluster0.ab1cd.mongodb.net/shop
    curl user  {p14}  curl -s -u deploy:$ https://api.example.net/v1/builds
    curl user long  {p14}  curl --user "deploy:$" https://api.internal/v1
    curl bearer  {w40}  curl -H "Authorization: Bearer $" https://api.internal/v1
    curl token  {h40}  curl -H 'Authorization: Token $' https://api.internal/v1
    curl plain header  {a40}  curl -H "Authorization: $" https://api.internal/v1
    curl key header  {a32}  curl -H 'X-Api-Key: $' https://api.internal/v1
    curl private header  {w20}  curl --header "PRIVATE-TOKEN: $" https://gitlab.internal/api/v4
    curl cookie  {a32}  curl -b "session=$" https://app.internal/
    wget  {p14}  wget --user=deploy --password=$ https://files.internal/a.tgz
    httpie  {p14}  http -a deploy:$ https://api.internal/v1
    sshpass  {p14}  sshpass -p $ ssh root@10.0.0.5
    sshpass joined  {p14}  sshpass -p'$' scp a.txt root@10.0.0.5:/tmp
    docker login  {p20}  docker login -u deploy -p $ registry.internal
    docker long  {p20}  docker login --username deploy --password $ registry.internal
    docker stdin  {p20}  echo $ | docker login -u deploy --password-stdin registry.internal
    podman login  {p20}  podman login -u deploy -p "$" registry.internal
    helm login  {p20}  helm registry login -u deploy -p $ registry.internal
    ftp URL  {a16}  ftp ftp://deploy:$@files.internal/pub
    lftp  {p14}  lftp -u deploy,$ files.internal
    ncftp  {p14}  ncftpput -u deploy -p $ files.internal /pub a.txt
    smbclient  {p14}  smbclient //files.internal/share -U deploy%$
    mount  {p14}  mount -t cifs //files/share /mnt -o username=deploy,password=$
    openssl  {p14}  openssl rsa -in key.pem -passin pass:$ -out plain.pem
    zip  {p14}  zip -P $ out.zip a.txt
    7z  {p14}  7z a -p$ out.7z a.txt
    gpg  {p14}  gpg --batch --passphrase $ -c a.txt
    keytool  {p14}  keytool -list -keystore a.jks -storepass $
    ldapsearch  {p14}  ldapsearch -x -D cn=admin,dc=x -w $ -b dc=x
    htpasswd  {p14}  htpasswd -b -c .htpasswd deploy $
    chpasswd  {p14}  echo "deploy:$" | chpasswd
    sqlcmd  {p14}  sqlcmd -S db.internal -U sa -P $ -Q "select 1"
    sqlplus  {a14}  sqlplus scott/$@orcl
    az login  {p20}  az login --service-principal -u app -p $ --tenant t
    aws configure  {b40}  aws configure set aws_secret_access_key $
    svn  {p14}  svn co --username deploy --password $ https://svn.internal/r
    git clone  {a20}  git clone https://deploy:$@git.internal/r.git
    rabbitmqctl  {p14}  rabbitmqctl add_user deploy $
    mosquitto  {p14}  mosquitto_pub -h mq -u deploy -P $ -t a -m b
    cqlsh  {p14}  cqlsh -u cassandra -p $ db.internal
    clickhouse  {p14}  clickhouse-client --user app --password $ -q 'select 1'
    vault login  {a26}  vault login $
    npm config  {a36}  npm config set //registry.internal/:_authToken $
    rdp  {p14}  xfreerdp /u:deploy /p:$ /v:host.internal
    expect  {p14}  expect -c 'spawn ssh a; expect "password:"; send "$\\r"'
    pgpass  {p16}  db.internal:5432:shop:app:$
    pgpass any  {p16}  *:*:*:app:$
    pgpass port  {p16}  db.internal:15432:shop:app:$
    netrc  {p16}  machine api.internal login deploy password $
    npmrc  {a36}  //registry.internal/:_authToken=$
    npmrc auth  {b40}  _auth=$
    pypirc  {p18}  [pypi]\\nusername = deploy\\npassword = $
    my.cnf  {p16}  [client]\\nuser=root\\npassword=$
    docker config  {b30}  {"auths":{"registry.internal":{"auth":"$"}}}
    git credentials  {a24}  https://deploy:$@git.internal
    aws credentials  {b40}  [default]\\naws_access_key_id = x\\naws_secret_access_key = $
    aws sts  {b40}  "SecretAccessKey": "$",
    ado.net  {p16}  Server=db.internal;Database=shop;User Id=sa;Password=$;Encrypt=true
    jdbc  {p16}  jdbc:mysql://db.internal:3306/shop?user=app&password=$
    spring  {p16}  spring.datasource.password=$
    storage connection  {b86}==  DefaultEndpointsProtocol=https;AccountName=st;AccountKey=$;EndpointSuffix=core.windows.net
    bus connection  {b43}=  Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey=$
    SAS  {a43}%3D  https://st.blob.core.windows.net/c?sv=2024-11-04&se=2026-01-01&sig=$&sp=r
    presigned  {h64}  https://b.s3.amazonaws.com/k?X-Amz-Date=20260101T000000Z&X-Amz-Signature=$
    Django  {j50}  SECRET_KEY = 'django-insecure-$'
    Django own  {j50}  SECRET_KEY = '$'
    Flask  {h48}  app.secret_key = "$"
    Rails base  {h128}  secret_key_base: $
    Rails base variable  {h128}  SECRET_KEY_BASE=$
    Rails master  {h32}  RAILS_MASTER_KEY=$
    Laravel  {b43}=  APP_KEY=base64:$
    WordPress  {j64}  define('AUTH_KEY', '$');
    NextAuth  {b43}=  NEXTAUTH_SECRET=$
    JWT secret  {w48}  JWT_SECRET="$"
    Kubernetes secret  {b40}  kind: Secret\\ndata:\\n password: $
    basic header  {b30}4w==  Authorization: Basic $
    API token header  {a40}  X-Auth-Token: $
    SSWS  00{w40}  Authorization: SSWS $
    sentence password  {p14}  the root password is $
    Slack webhook  T{U10}/B{U10}/{a24}  https://hooks.slack.com/services/$
    Discord webhook  {w68}  https://discord.com/api/webhooks/123456789012345678/$
    login hint  {p14}  user: deploy, pass: $
  `),
  ...placed(`PuTTY  {b48}  ${PUTTY}`),
];
