#include "generator/emit/c/names/library_names.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace lathe::emit {
namespace {

// Names that headers of C define, with the extensions of host compilers. Names that differ from one
// in the list only by a suffix, or that have one of the prefixes below, are omitted.
// clang-format off
constexpr absl::string_view kOfC = R"(
AIO_PRIO_DELTA_MAX ATOMIC_BOOL_LOCK_FREE ATOMIC_CHAR16_T_LOCK_FREE ATOMIC_CHAR32_T_LOCK_FREE ATOMIC_CHAR_LOCK_FREE ATOMIC_FLAG_INIT
ATOMIC_INT_LOCK_FREE ATOMIC_LLONG_LOCK_FREE ATOMIC_LONG_LOCK_FREE ATOMIC_POINTER_LOCK_FREE ATOMIC_SHORT_LOCK_FREE ATOMIC_WCHAR_T_LOCK_FREE BC_BASE_MAX
BC_DIM_MAX BC_SCALE_MAX BC_STRING_MAX BIG_ENDIAN BUFSIZ BUS_ADRALN BUS_ADRERR BUS_MCEERR_AO BUS_MCEERR_AR BUS_OBJERR BYTE_ORDER CHARCLASS_NAME_MAX
CHAR_BIT CHAR_MAX CHAR_MIN CLD_CONTINUED CLD_DUMPED CLD_EXITED CLD_KILLED CLD_STOPPED CLD_TRAPPED CLOCKS_PER_SEC CLOCK_BOOTTIME CLOCK_BOOTTIME_ALARM
CLOCK_MONOTONIC CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC_RAW CLOCK_PROCESS_CPUTIME_ID CLOCK_REALTIME CLOCK_REALTIME_ALARM CLOCK_REALTIME_COARSE
CLOCK_TAI CLOCK_THREAD_CPUTIME_ID COLL_WEIGHTS_MAX DECIMAL_DIG DELAYTIMER_MAX E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY
EBADE EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK
EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM
EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK
EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK
ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE
ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOF EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG
EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN
EUNATCH EUSERS EWOULDBLOCK EXDEV EXFULL EXPR_NEST_MAX FD_SETSIZE FE_ALL_EXCEPT FE_DFL_ENV FE_DIVBYZERO FE_DOWNWARD FE_INEXACT FE_INVALID FE_OVERFLOW
FE_TONEAREST FE_TOWARDZERO FE_UNDERFLOW FE_UPWARD FILE FILENAME_MAX FOPEN_MAX FPE_CONDTRAP FPE_FLTDIV FPE_FLTINV FPE_FLTOVF FPE_FLTRES FPE_FLTSUB
FPE_FLTUND FPE_FLTUNK FPE_INTDIV FPE_INTOVF HOST_NAME_MAX HUGE_VAL HUGE_VALF HUGE_VALL I ILL_BADIADDR ILL_BADSTK ILL_COPROC ILL_ILLADR ILL_ILLOPC
ILL_ILLOPN ILL_ILLTRP ILL_PRVOPC ILL_PRVREG INFINITY LC_ADDRESS LC_ADDRESS_MASK LC_ALL LC_ALL_MASK LC_COLLATE LC_COLLATE_MASK LC_CTYPE LC_CTYPE_MASK
LC_GLOBAL_LOCALE LC_IDENTIFICATION LC_IDENTIFICATION_MASK LC_MEASUREMENT LC_MEASUREMENT_MASK LC_MESSAGES LC_MESSAGES_MASK LC_MONETARY LC_MONETARY_MASK
LC_NAME LC_NAME_MASK LC_NUMERIC LC_NUMERIC_MASK LC_PAPER LC_PAPER_MASK LC_TELEPHONE LC_TELEPHONE_MASK LC_TIME LC_TIME_MASK LINE_MAX LITTLE_ENDIAN
LLONG_MAX LLONG_MIN LOGIN_NAME_MAX LONG_MAX LONG_MIN L_ctermid L_tmpnam MAX_CANON MAX_INPUT MB_CUR_MAX MB_LEN_MAX MINSIGSTKSZ MQ_PRIO_MAX M_1_PI
M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 M_LOG10E M_LOG2E M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 NAME_MAX NAN NFDBITS NGREG NGROUPS_MAX NSIG NULL
ONCE_FLAG_INIT PATH_MAX PDP_ENDIAN PIPE_BUF POLL_ERR POLL_HUP POLL_IN POLL_MSG POLL_OUT POLL_PRI PRIX16 PRIX32 PRIX64 PRIX8 PRIXFAST16 PRIXFAST32
PRIXFAST64 PRIXFAST8 PRIXLEAST16 PRIXLEAST32 PRIXLEAST64 PRIXLEAST8 PRIXMAX PRIXPTR PRId16 PRId32 PRId64 PRId8 PRIdFAST16 PRIdFAST32 PRIdFAST64
PRIdFAST8 PRIdLEAST16 PRIdLEAST32 PRIdLEAST64 PRIdLEAST8 PRIdMAX PRIdPTR PRIi16 PRIi32 PRIi64 PRIi8 PRIiFAST16 PRIiFAST32 PRIiFAST64 PRIiFAST8
PRIiLEAST16 PRIiLEAST32 PRIiLEAST64 PRIiLEAST8 PRIiMAX PRIiPTR PRIo16 PRIo32 PRIo64 PRIo8 PRIoFAST16 PRIoFAST32 PRIoFAST64 PRIoFAST8 PRIoLEAST16
PRIoLEAST32 PRIoLEAST64 PRIoLEAST8 PRIoMAX PRIoPTR PRIu16 PRIu32 PRIu64 PRIu8 PRIuFAST16 PRIuFAST32 PRIuFAST64 PRIuFAST8 PRIuLEAST16 PRIuLEAST32
PRIuLEAST64 PRIuLEAST8 PRIuMAX PRIuPTR PRIx16 PRIx32 PRIx64 PRIx8 PRIxFAST16 PRIxFAST32 PRIxFAST64 PRIxFAST8 PRIxLEAST16 PRIxLEAST32 PRIxLEAST64
PRIxLEAST8 PRIxMAX PRIxPTR P_tmpdir RAND_MAX RE_DUP_MAX RTSIG_MAX SA_INTERRUPT SA_NOCLDSTOP SA_NOCLDWAIT SA_NODEFER SA_NOMASK SA_ONESHOT SA_ONSTACK
SA_RESETHAND SA_RESTART SA_SIGINFO SA_STACK SCHAR_MAX SCHAR_MIN SCNd16 SCNd32 SCNd64 SCNd8 SCNdFAST16 SCNdFAST32 SCNdFAST64 SCNdFAST8 SCNdLEAST16
SCNdLEAST32 SCNdLEAST64 SCNdLEAST8 SCNdMAX SCNdPTR SCNi16 SCNi32 SCNi64 SCNi8 SCNiFAST16 SCNiFAST32 SCNiFAST64 SCNiFAST8 SCNiLEAST16 SCNiLEAST32
SCNiLEAST64 SCNiLEAST8 SCNiMAX SCNiPTR SCNo16 SCNo32 SCNo64 SCNo8 SCNoFAST16 SCNoFAST32 SCNoFAST64 SCNoFAST8 SCNoLEAST16 SCNoLEAST32 SCNoLEAST64
SCNoLEAST8 SCNoMAX SCNoPTR SCNu16 SCNu32 SCNu64 SCNu8 SCNuFAST16 SCNuFAST32 SCNuFAST64 SCNuFAST8 SCNuLEAST16 SCNuLEAST32 SCNuLEAST64 SCNuLEAST8
SCNuMAX SCNuPTR SCNx16 SCNx32 SCNx64 SCNx8 SCNxFAST16 SCNxFAST32 SCNxFAST64 SCNxFAST8 SCNxLEAST16 SCNxLEAST32 SCNxLEAST64 SCNxLEAST8 SCNxMAX SCNxPTR
SEGV_ACCADI SEGV_ACCERR SEGV_ADIDERR SEGV_ADIPERR SEGV_BNDERR SEGV_MAPERR SEGV_MTEAERR SEGV_MTESERR SEGV_PKUERR SEM_VALUE_MAX SHRT_MAX SHRT_MIN
SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGEV_NONE SIGEV_SIGNAL SIGEV_THREAD SIGEV_THREAD_ID SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL
SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTKSZ SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG
SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIG_BLOCK SIG_DFL SIG_ERR SIG_IGN SIG_SETMASK SIG_UNBLOCK SI_ASYNCIO SI_ASYNCNL SI_DETHREAD
SI_KERNEL SI_MESGQ SI_QUEUE SI_SIGIO SI_TIMER SI_TKILL SI_USER SSIZE_MAX SS_DISABLE SS_ONSTACK TIMER_ABSTIME TIME_UTC TMP_MAX TSS_DTOR_ITERATIONS
TTY_NAME_MAX UCHAR_MAX ULLONG_MAX ULONG_MAX USHRT_MAX WCONTINUED WEOF WEXITED WNOHANG WNOWAIT WSTOPPED WUNTRACED XATTR_LIST_MAX XATTR_NAME_MAX
XATTR_SIZE_MAX a64l abort abs acos acosh aligned_alloc alloca and and_eq arc4random arc4random_buf arc4random_uniform asctime asin asinh asm
at_quick_exit atan atan2 atanh atexit atof atoi atol atomic_bool atomic_char atomic_char16_t atomic_char32_t atomic_flag atomic_flag_clear
atomic_flag_clear_explicit atomic_flag_test_and_set atomic_flag_test_and_set_explicit atomic_int atomic_int_fast16_t atomic_int_fast32_t
atomic_int_fast64_t atomic_int_fast8_t atomic_int_least16_t atomic_int_least32_t atomic_int_least64_t atomic_int_least8_t atomic_intmax_t
atomic_intptr_t atomic_llong atomic_long atomic_ptrdiff_t atomic_schar atomic_short atomic_signal_fence atomic_size_t atomic_thread_fence atomic_uchar
atomic_uint atomic_uint_fast16_t atomic_uint_fast32_t atomic_uint_fast64_t atomic_uint_fast8_t atomic_uint_least16_t atomic_uint_least32_t
atomic_uint_least64_t atomic_uint_least8_t atomic_uintmax_t atomic_uintptr_t atomic_ullong atomic_ulong atomic_ushort atomic_wchar_t auto bcmp bcopy
bitand bitor blkcnt_t blksize_t bool break bsearch btowc bzero c16rtomb c32rtomb cabs cacos cacosh caddr_t call_once calloc carg case casin casinh
catan catanh cbrt ccos ccosh ceil cexp char char16_t char32_t cimag clearenv clearerr clock clock_getcpuclockid clock_getres clock_gettime
clock_nanosleep clock_settime clock_t clockid_t clog cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_t cnd_timedwait cnd_wait compl complex conj
const continue copysign cos cosh cpow cproj creal csin csinh csqrt ctan ctanh ctermid ctime daddr_t daylight default dev_t difftime div div_t do
double double_t dprintf drand48 drand48_data drem duplocale dysize ecvt else enum erand48 erf erfc errno exit exp exp2 explicit_bzero expm1 extern
fabs false fclose fcvt fd_mask fd_set fdim fdopen feclearexcept fegetenv fegetexceptflag fegetround feholdexcept fenv_t feof feraiseexcept ferror
fesetenv fesetexceptflag fesetround fetestexcept feupdateenv fexcept_t fflush ffs ffsll fgetc fgetpos fgets fgetwc fgetws fileno finite float float_t
flockfile floor fma fmax fmemopen fmin fmod fopen for fpos_t fpregset_t fprintf fputc fputs fputwc fputws fread free freelocale freopen frexp
fsblkcnt_t fscanf fseek fseeko fsetpos fsfilcnt_t fsid_t ftell ftello ftrylockfile funlockfile fwide fwprintf fwrite fwscanf gamma gcvt getc getchar
getdelim getenv getline getloadavg getsubopt getw getwc getwchar gid_t gmtime greg_t gregset_t gsignal hypot id_t if ilogb imaxabs imaxdiv imaxdiv_t
index initstate inline ino_t int int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t
int_least64_t int_least8_t intmax_t intptr_t isalnum isalpha isascii isblank iscntrl isdigit isgraph isinf islower isnan isprint ispunct isspace
isupper iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit isxdigit itimerspec j0
j1 jmp_buf jn jrand48 key_t kill killpg l64a labs lcong48 lconv ldexp ldiv ldiv_t lgamma lgammaf_r lgammal_r linux llabs lldiv lldiv_t llrint llround
locale_t localeconv localtime loff_t log log10 log1p log2 logb long longjmp lrand48 lrint lround malloc math_errhandling max_align_t mblen mbrlen
mbrtoc16 mbrtoc32 mbrtowc mbsinit mbsnrtowcs mbsrtowcs mbstate_t mbstowcs mbtowc mcontext_t memccpy memchr memcmp memcpy memmove memory_order
memory_order_acq_rel memory_order_acquire memory_order_consume memory_order_relaxed memory_order_release memory_order_seq_cst memset mkdtemp mkstemp
mkstemps mktemp mktime mode_t modf mrand48 mtx_destroy mtx_init mtx_lock mtx_plain mtx_recursive mtx_t mtx_timed mtx_timedlock mtx_trylock mtx_unlock
nan nanosleep nearbyint newlocale nextafter nexttoward nlink_t not not_eq nrand48 off_t on_exit once_flag open_memstream open_wmemstream or or_eq
pclose perror pid_t popen posix_memalign pow printf pselect psiginfo psignal ptrdiff_t putc putchar putenv puts putw putwc putwchar qecvt qfcvt qgcvt
qsort quad_t quick_exit raise rand random random_data realloc reallocarray realpath register_t remainder remove remquo rename renameat return rewind
rindex rint round rpmatch sa_handler sa_sigaction scalb scalbln scalbn scanf seed48 select setbuf setbuffer setenv setjmp setlinebuf setlocale
setstate setvbuf short si_addr si_addr_lsb si_arch si_band si_call_addr si_fd si_int si_lower si_overrun si_pid si_pkey si_ptr si_status si_stime
si_syscall si_timerid si_uid si_upper si_utime si_value sig_atomic_t sig_t sigaction sigaddset sigaltstack sigblock sigcontext sigdelset sigemptyset
sigev_notify_attributes sigev_notify_function sigevent sigevent_t sigfillset siggetmask siginfo_t siginterrupt sigismember sigjmp_buf siglongjmp
signal signed signgam significand sigpending sigprocmask sigqueue sigreturn sigset_t sigsetmask sigstack sigsuspend sigtimedwait sigval sigval_t
sigwait sigwaitinfo sin sinh size_t sizeof snprintf sprintf sqrt srand srand48 srandom sscanf ssignal ssize_t stack_t static static_assert stderr
stdin stdout stpcpy stpncpy strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strerror strftime strlen strncasecmp strncat strncmp strncpy
strndup strnlen strpbrk strrchr strsep strsignal strspn strstr strtod strtof strtoimax strtok strtol strtold strtoq strtoul strtoumax strtouq struct
strxfrm suseconds_t switch swprintf swscanf system tan tanh tempnam tgamma thrd_busy thrd_create thrd_current thrd_detach thrd_equal thrd_error
thrd_exit thrd_join thrd_nomem thrd_sleep thrd_start_t thrd_success thrd_t thrd_timedout thrd_yield thread_local time time_t timegm timelocal
timer_create timer_delete timer_getoverrun timer_gettime timer_settime timer_t timespec timespec_get timeval timezone tm tmpfile tmpnam toascii
tolower toupper towctrans towlower towupper true trunc tss_create tss_delete tss_dtor_t tss_get tss_set tss_t typedef tzname tzset u_char u_int
u_int16_t u_int32_t u_int64_t u_int8_t u_long u_quad_t u_short ucontext_t uid_t uint uint16_t uint32_t uint64_t uint8_t uint_fast16_t uint_fast32_t
uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t uint_least8_t uintmax_t uintptr_t ulong ungetc ungetwc union unix unsetenv
unsigned uselocale ushort va_list valloc vdprintf vfprintf vfscanf vfwprintf vfwscanf void volatile vprintf vscanf vsnprintf vsprintf vsscanf
vswprintf vswscanf vwprintf vwscanf wchar_t wcpcpy wcpncpy wcrtomb wcscasecmp wcscat wcschr wcscmp wcscoll wcscpy wcscspn wcsdup wcsftime wcslen
wcsncasecmp wcsncat wcsncmp wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstof wcstoimax wcstok wcstol wcstold wcstombs
wcstoul wcstoumax wcsxfrm wctob wctomb wctrans wctrans_t wctype wctype_t while wint_t wmemchr wmemcmp wmemcpy wmemmove wmemset wprintf wscanf xor
xor_eq y0 y1 yn
)";

// Further names that headers of C++, POSIX and CUDA define.
constexpr absl::string_view kOfGpus = R"(
ADJ_ESTERROR ADJ_FREQUENCY ADJ_MAXERROR ADJ_MICRO ADJ_NANO ADJ_OFFSET ADJ_OFFSET_SINGLESHOT ADJ_OFFSET_SS_READ ADJ_SETOFFSET ADJ_STATUS ADJ_TAI
ADJ_TICK ADJ_TIMECONST AT_EACCESS AT_EMPTY_PATH AT_FDCWD AT_NO_AUTOMOUNT AT_RECURSIVE AT_REMOVEDIR AT_STATX_DONT_SYNC AT_STATX_FORCE_SYNC
AT_STATX_SYNC_AS_STAT AT_STATX_SYNC_TYPE AT_SYMLINK_FOLLOW AT_SYMLINK_NOFOLLOW BOOL_MAX BOOL_WIDTH CHAR_WIDTH CIG_DATA_TYPE_D3D12_COMMAND_QUEUE
CIG_DATA_TYPE_NV_BLOB CLONE_CHILD_CLEARTID CLONE_CHILD_SETTID CLONE_DETACHED CLONE_FILES CLONE_FS CLONE_IO CLONE_NEWCGROUP CLONE_NEWIPC CLONE_NEWNET
CLONE_NEWNS CLONE_NEWPID CLONE_NEWTIME CLONE_NEWUSER CLONE_NEWUTS CLONE_PARENT CLONE_PARENT_SETTID CLONE_PIDFD CLONE_PTRACE CLONE_SETTLS CLONE_SIGHAND
CLONE_SYSVSEM CLONE_THREAD CLONE_UNTRACED CLONE_VFORK CLONE_VM CLOSE_RANGE_CLOEXEC CLOSE_RANGE_UNSHARE CPU_SETSIZE CSIGNAL CUCoredumpGenerationFlags
CUDAAPI CUDAlogLevel_enum CUGPUDirectRDMAWritesOrdering CUGPUDirectRDMAWritesOrdering_enum DLFO_STRUCT_HAS_EH_COUNT DLFO_STRUCT_HAS_EH_DBASE DN_ACCESS
DN_ATTRIB DN_CREATE DN_DELETE DN_MODIFY DN_MULTISHOT DN_RENAME Dl_info Dl_serinfo Dl_serpath FALLOC_FL_COLLAPSE_RANGE FALLOC_FL_INSERT_RANGE
FALLOC_FL_KEEP_SIZE FALLOC_FL_NO_HIDE_STALE FALLOC_FL_PUNCH_HOLE FALLOC_FL_UNSHARE_RANGE FALLOC_FL_ZERO_RANGE FAPPEND FASYNC FD_CLOEXEC FE_DFL_MODE
FE_NOMASK_ENV FFSYNC FNDELAY FNONBLOCK F_ADD_SEALS F_DUPFD F_DUPFD_CLOEXEC F_EXLCK F_GETFD F_GETFL F_GETLEASE F_GETLK F_GETOWN F_GETOWN_EX
F_GETPIPE_SZ F_GETSIG F_GET_FILE_RW_HINT F_GET_RW_HINT F_GET_SEALS F_LOCK F_NOTIFY F_OFD_GETLK F_OFD_SETLK F_OFD_SETLKW F_OK F_OWNER_GID F_OWNER_PGRP
F_OWNER_PID F_OWNER_TID F_RDLCK F_SEAL_FUTURE_WRITE F_SEAL_GROW F_SEAL_SEAL F_SEAL_SHRINK F_SEAL_WRITE F_SETFD F_SETFL F_SETLEASE F_SETLK F_SETLKW
F_SETOWN F_SETOWN_EX F_SETPIPE_SZ F_SETSIG F_SET_FILE_RW_HINT F_SET_RW_HINT F_SHLCK F_TEST F_TLOCK F_ULOCK F_UNLCK F_WRLCK HUGE_VAL_F128 HUGE_VAL_F32
HUGE_VAL_F32X HUGE_VAL_F64 HUGE_VAL_F64X IOV_MAX InitializeInjectionNvtx2_fnptr LLONG_WIDTH LM_ID_BASE LM_ID_NEWLM LOCK_EX LOCK_MAND LOCK_NB LOCK_READ
LOCK_RW LOCK_SH LOCK_UN LOCK_WRITE LONG_BIT LONG_LONG_MAX LONG_LONG_MIN LONG_WIDTH L_INCR L_SET L_XTND L_cuserid Lmid_t MAJOR_VERSION MAXFLOAT
MAX_HANDLE_SZ MINOR_VERSION MOD_CLKA MOD_CLKB MOD_ESTERROR MOD_FREQUENCY MOD_MAXERROR MOD_MICRO MOD_NANO MOD_OFFSET MOD_STATUS MOD_TAI MOD_TIMECONST
NL_ARGMAX NL_LANGMAX NL_MSGMAX NL_NMAX NL_SETMAX NL_TEXTMAX NZERO O_ACCMODE O_APPEND O_ASYNC O_CLOEXEC O_CREAT O_DIRECT O_DIRECTORY O_DSYNC O_EXCL
O_FSYNC O_LARGEFILE O_NDELAY O_NOATIME O_NOCTTY O_NOFOLLOW O_NONBLOCK O_PATH O_RDONLY O_RDWR O_RSYNC O_SYNC O_TMPFILE O_TRUNC O_WRONLY PATCH_LEVEL
POSIX_FADV_DONTNEED POSIX_FADV_NOREUSE POSIX_FADV_NORMAL POSIX_FADV_RANDOM POSIX_FADV_SEQUENTIAL POSIX_FADV_WILLNEED REG_CR2 REG_CSGSFS REG_EFL
REG_ERR REG_OLDMASK REG_R10 REG_R11 REG_R12 REG_R13 REG_R14 REG_R15 REG_R8 REG_R9 REG_RAX REG_RBP REG_RBX REG_RCX REG_RDI REG_RDX REG_RIP REG_RSI
REG_RSP REG_TRAPNO RENAME_EXCHANGE RENAME_NOREPLACE RENAME_WHITEOUT RESOURCE_ABI_EXTERNAL_BYTES RESOURCE_ABI_VERSION RTLD_BINDING_MASK RTLD_DEEPBIND
RTLD_DEFAULT RTLD_DI_CONFIGADDR RTLD_DI_LINKMAP RTLD_DI_LMID RTLD_DI_MAX RTLD_DI_ORIGIN RTLD_DI_PHDR RTLD_DI_PROFILENAME RTLD_DI_PROFILEOUT
RTLD_DI_SERINFO RTLD_DI_SERINFOSIZE RTLD_DI_TLS_DATA RTLD_DI_TLS_MODID RTLD_DL_LINKMAP RTLD_DL_SYMENT RTLD_GLOBAL RTLD_LAZY RTLD_LOCAL RTLD_NEXT
RTLD_NODELETE RTLD_NOLOAD RTLD_NOW RWF_WRITE_LIFE_NOT_SET RWH_WRITE_LIFE_EXTREME RWH_WRITE_LIFE_LONG RWH_WRITE_LIFE_MEDIUM RWH_WRITE_LIFE_NONE
RWH_WRITE_LIFE_NOT_SET RWH_WRITE_LIFE_SHORT R_OK SCHAR_WIDTH SCHED_BATCH SCHED_DEADLINE SCHED_FIFO SCHED_IDLE SCHED_ISO SCHED_OTHER
SCHED_RESET_ON_FORK SCHED_RR SHRT_WIDTH SIG_HOLD SNAN SNANF SNANF128 SNANF32 SNANF32X SNANF64X SNANL SPLICE_F_GIFT SPLICE_F_MORE SPLICE_F_MOVE
SPLICE_F_NONBLOCK STA_CLK STA_CLOCKERR STA_DEL STA_FLL STA_FREQHOLD STA_INS STA_MODE STA_NANO STA_PLL STA_PPSERROR STA_PPSFREQ STA_PPSJITTER
STA_PPSSIGNAL STA_PPSTIME STA_PPSWANDER STA_RONLY STA_UNSYNC STDERR_FILENO STDIN_FILENO STDOUT_FILENO SYNC_FILE_RANGE_WAIT_AFTER
SYNC_FILE_RANGE_WAIT_BEFORE SYNC_FILE_RANGE_WRITE SYNC_FILE_RANGE_WRITE_AND_WAIT S_IFBLK S_IFCHR S_IFDIR S_IFIFO S_IFLNK S_IFMT S_IFREG S_IFSOCK
S_IRGRP S_IROTH S_IRUSR S_IRWXG S_IRWXO S_IRWXU S_ISGID S_ISUID S_ISVTX S_IWGRP S_IWOTH S_IWUSR S_IXGRP S_IXOTH S_IXUSR TRAP_BRANCH TRAP_BRKPT
TRAP_HWBKPT TRAP_TRACE TRAP_UNK UCHAR_WIDTH ULLONG_WIDTH ULONG_LONG_MAX ULONG_WIDTH USHRT_WIDTH UTIME_NOW UTIME_OMIT WORD_BIT W_OK X_OK access acct
alarm alignas alignof all any asprintf atomicAdd atomicAdd_block atomicAdd_system atomicAnd atomicAnd_block atomicAnd_system atomicCAS atomicCAS_block
atomicCAS_system atomicDec atomicDec_block atomicDec_system atomicExch atomicExch_block atomicExch_system atomicInc atomicInc_block atomicInc_system
atomicMax atomicMax_block atomicMax_system atomicMin atomicMin_block atomicMin_system atomicOr atomicOr_block atomicOr_system atomicSub
atomicSub_block atomicSub_system atomicXor atomicXor_block atomicXor_system ballot basename blkcnt64_t blockDim blockIdx brk canonicalize
canonicalize_file_name catch char1 char2 char3 char4 chdir chown chroot cl_context_flags cl_context_flags_enum cl_event_flags cl_event_flags_enum
class clock_adjtime clone close close_range closefrom comparison_fn_t confstr const_cast constexpr cookie_close_function_t cookie_io_functions_t
cookie_read_function_t cookie_seek_function_t cookie_write_function_t copy_file_range cospi cpu_set_t creat crypt
cudalibraryHostUniversalFunctionAndDataTable cuserid cyl_bessel_i0 cyl_bessel_i1 dadd daemon ddivl decltype delete dfmal dim3 dl_find_object dladdr
dladdr1 dlclose dlerror dlinfo dlmopen dlopen dlsym dlvsym dmul double1 double2 double2int double2ll double2uint double2ull double3 double4
double4_16a double4_32a dsqrtl dsub dup dup2 dup3 eaccess endusershell environ erfcinv erfcx erfinv error_t euidaccess execl execle execlp execv
execve execveat execvp execvpe exp10 explicit f32addf32x f32addf64 f32addf64x f32divf32x f32divf64 f32divf64x f32fmaf32x f32fmaf64 f32fmaf64x
f32mulf32x f32mulf64 f32mulf64x f32sqrtf32x f32sqrtf64 f32sqrtf64x f32subf32x f32subf64 f32subf64x f32xaddf64 f32xaddf64x f32xdivf64 f32xdivf64x
f32xfmaf64 f32xfmaf64x f32xmulf64 f32xmulf64x f32xsqrtf64 f32xsqrtf64x f32xsubf64 f32xsubf64x f64addf64x f64divf64x f64fmaf64x f64mulf64x f64sqrtf64x
f64subf64x f_owner_ex faccessat fadd fallocate fchdir fchown fchownat fcloseall fcntl fdatasync fdiv fdivide fedisableexcept feenableexcept
fegetexcept fegetmode femode_t fesetexcept fesetmode fetestexceptflag fexecve ffma file_handle float1 float2 float2double float3 float4 flock fmaximum
fmaximum_mag fmaximum_mag_num fmaximum_num fmaxmag fminimum fminimum_mag fminimum_mag_num fminimum_num fminmag fmul fopencookie fork fpathconf
fpclassify fpos64_t friend fromfp fromfpx fsblkcnt64_t fsfilcnt64_t fsqrt fsub fsync ftruncate get_current_dir_name getcpu getcwd getdate getdate_err
getdomainname getdtablesize getegid getentropy geteuid getgid getgroups gethostid gethostname getlogin getopt getpagesize getpass getpayload getpgid
getpgrp getpid getppid getpt getresgid getresuid getsid gettid getuid getusershell getwd grantpt gridDim group_member h2ceil h2cos h2exp h2exp10
h2exp2 h2floor h2log h2log10 h2log2 h2rcp h2rint h2rsqrt h2sin h2sqrt h2tanh h2tanh_approx h2trunc half half2 hceil hcos hexp hexp10 hexp2 hfloor hlog
hlog10 hlog2 hrcp hrint hrsqrt hsin hsqrt htanh htanh_approx htrunc ino64_t int1 int2 int2double int3 int4 iovec isatty iscanonical isctype iseqsig
isfinite isgreater isgreaterequal isless islessequal islessgreater isnormal issignaling isunordered iszero lchown lgammaf32_r lgammaf32x_r lgammaf64_r
lgammaf64x_r libraryPropertyType libraryPropertyType_t link linkat ll2double llmax llmin llogb lockf long1 long2 long3 long4 long4_16a long4_32a
longlong1 longlong2 longlong3 longlong4 longlong4_16a longlong4_32a lseek make_bfloat162 make_char1 make_char2 make_char3 make_char4 make_cudaExtent
make_cudaPitchedPtr make_cudaPos make_double1 make_double2 make_double3 make_double4 make_double4_16a make_double4_32a make_float1 make_float2
make_float3 make_float4 make_half2 make_int1 make_int2 make_int3 make_int4 make_long1 make_long2 make_long3 make_long4 make_long4_16a make_long4_32a
make_longlong1 make_longlong2 make_longlong3 make_longlong4 make_longlong4_16a make_longlong4_32a make_short1 make_short2 make_short3 make_short4
make_uchar1 make_uchar2 make_uchar3 make_uchar4 make_uint1 make_uint2 make_uint3 make_uint4 make_ulong1 make_ulong2 make_ulong3 make_ulong4
make_ulong4_16a make_ulong4_32a make_ulonglong1 make_ulonglong2 make_ulonglong3 make_ulonglong4 make_ulonglong4_16a make_ulonglong4_32a make_ushort1
make_ushort2 make_ushort3 make_ushort4 max memfrob memmem mempcpy memrchr min mkostemp mkostemps name_to_handle_at namespace new nextdown nextup nice
noexcept norm norm3d norm4d normcdf normcdfinv nullptr nullptr_t nv obstack_printf obstack_vprintf off64_t open open_by_handle_at openat operator
optarg opterr optind optopt pathconf pause pipe pipe2 posix_fadvise posix_fallocate posix_openpt pread private profil program_invocation_name
program_invocation_short_name protected ptsname public pwrite rawmemchr rcbrt read readahead readlink readlinkat reinterpret_cast renameat2 revoke
rhypot rmdir rnorm rnorm3d rnorm4d roundeven rsqrt sbrk sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getcpu sched_getparam
sched_getscheduler sched_param sched_rr_get_interval sched_setaffinity sched_setparam sched_setscheduler sched_yield secure_getenv setdomainname
setegid seteuid setgid sethostid sethostname setlogin setns setpayload setpayloadsig setpgid setpgrp setregid setresgid setresuid setreuid setsid
setuid setusershell short1 short2 short3 short4 sigabbrev_np sigandset sigdescr_np sighandler_t sighold sigignore sigisemptyset signbit sigorset
sigpause sigrelse sigset sincos sincospi sinpi sleep socklen_t splice st_atime st_ctime st_mtime stat static_cast std strcasestr strchrnul
strerrordesc_np strerrorname_np strfromd strfromf strfromf32 strfromf32x strfromf64x strfroml strfry strptime strtof32 strtof32x strtof64_l strtof64x
strtoll_l strtoull_l strverscmp surf1DLayeredread surf1DLayeredwrite surf1Dread surf1Dwrite surf2DLayeredread surf2DLayeredwrite surf2Dread
surf2Dwrite surf3Dread surf3Dwrite surfCubemapLayeredread surfCubemapLayeredwrite surfCubemapread surfCubemapwrite swab symlink symlinkat sync
sync_file_range syncfs syncthreads_and syncthreads_count syncthreads_or syscall sysconf sysv_signal tcgetpgrp tcsetpgrp tee template tex1D tex1DGrad
tex1DLayered tex1DLayeredGrad tex1DLayeredLod tex1DLod tex1Dfetch tex2D tex2DGrad tex2DLayered tex2DLayeredGrad tex2DLayeredLod tex2DLod tex2Dgather
tex3D tex3DGrad tex3DLod texCubemap texCubemapGrad texCubemapLayered texCubemapLayeredGrad texCubemapLayeredLod texCubemapLod tgkill this threadIdx
throw timespec_getres timex totalorder totalordermag truncate try ttyname ttyslot typename ualarm uchar1 uchar2 uchar3 uchar4 ufromfp ufromfpx uint1
uint2 uint2double uint3 uint4 ull2double ullmax ullmin ulong1 ulong2 ulong3 ulong4 ulong4_16a ulong4_32a ulonglong1 ulonglong2 ulonglong3 ulonglong4
ulonglong4_16a ulonglong4_32a umax umin unlink unlinkat unlockpt unshare useconds_t ushort1 ushort2 ushort3 ushort4 using usleep vasprintf vfork
vhangup virtual vmsplice warpSize wcschrnul wcstof32 wcstof32x wcstof64_l wcstof64x wcstoll_l wcstoq wcstoull_l wcstouq wcswcs wcswidth wcwidth
wmempcpy write
)";

// Headers of POSIX and CUDA. The header of a model with such a name would hide them.
constexpr absl::string_view kHeaderText = R"(
alloca builtin_types channel_descriptor cuda cuda_bf16 cuda_device_runtime_api cuda_fp16 cuda_runtime cuda_runtime_api device_atomic_functions
device_launch_parameters device_types dlfcn driver_functions driver_types endian fcntl features library_types nccl pthread sched
sm_20_atomic_functions sm_20_intrinsics sm_30_intrinsics sm_32_atomic_functions sm_32_intrinsics sm_35_atomic_functions sm_35_intrinsics
sm_60_atomic_functions sm_61_intrinsics strings surface_indirect_functions surface_types syslimits texture_indirect_functions texture_types unistd
vector_functions vector_types
)";
// clang-format on

// Suffixes of function variants: for other types, and for use in threads.
constexpr absl::string_view kFunctionEndings[] = {"f32x",      "f64x", "f128", "f16", "f32", "f64",
                                                  "_unlocked", "_l",   "_r",   "64",  "f",   "l"};

// Prefixes of CUDA, NVTX and POSIX threads.
constexpr absl::string_view kBeginnings[] = {"CU_",      "CUDA_",    "cuuint", "nv_",
                                             "NVCL_",    "nvtx",     "Nvtx",   "NVTX",
                                             "pthread_", "PTHREAD_", "CUDART"};
// Prefixes that count only if a letter of the other case follows: "cudaMalloc" and "CUdevice", but
// neither "cuda_net" nor "CUBE".
constexpr absl::string_view kBeforeCapitals[] = {"cuda", "cu"};
constexpr absl::string_view kBeforeSmall = "CU";

bool IsOneOf(absl::string_view words, absl::string_view name) {
  for (size_t at = words.find(name); at != words.npos; at = words.find(name, at + 1)) {
    // The list begins and ends with white space.
    if (absl::ascii_isspace(static_cast<unsigned char>(words[at - 1])) &&
        absl::ascii_isspace(static_cast<unsigned char>(words[at + name.size()]))) {
      return true;
    }
  }
  return false;
}

// Returns true if `name` is in the list `words`, with or without one of kFunctionEndings.
bool IsLike(absl::string_view words, absl::string_view name) {
  if (IsOneOf(words, name)) return true;
  return std::any_of(
      std::begin(kFunctionEndings), std::end(kFunctionEndings), [&](absl::string_view ending) {
        absl::string_view stem = name;
        return absl::ConsumeSuffix(&stem, ending) && !stem.empty() && IsOneOf(words, stem);
      });
}

}  // namespace

bool IsNameOfC(absl::string_view name) {
  return absl::StartsWith(name, "pthread_") || IsLike(kOfC, name);
}

bool IsNameOfGpus(absl::string_view name) {
  const auto begins = [&](absl::string_view beginning) {
    return absl::StartsWith(name, beginning);
  };
  if (std::any_of(std::begin(kBeginnings), std::end(kBeginnings), begins)) return true;
  for (absl::string_view beginning : kBeforeCapitals) {
    if (!begins(beginning) || name.size() == beginning.size()) continue;
    if (absl::ascii_isupper(static_cast<unsigned char>(name[beginning.size()]))) return true;
  }
  if (begins(kBeforeSmall) && name.size() > kBeforeSmall.size() &&
      absl::ascii_islower(static_cast<unsigned char>(name[kBeforeSmall.size()]))) {
    return true;
  }
  return IsNameOfC(name) || IsLike(kOfGpus, name) || IsOneOf(kHeaderText, name);
}

}  // namespace lathe::emit
