package postroad.system;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The walls between the modules, where the compiler alone does not guard them.
final class ArchitectureTest {
    private static final String[] NETWORK = {"java.net..", "java.nio.channels..", "javax.net..", "io.netty.."};
    private static final String[] PURE = {"postroad.nostr.core..", "postroad.sync.core.."};

    private static final Set<String> OPENING = Set.of(
            "File",
            "FileInputStream",
            "FileOutputStream",
            "FileReader",
            "FileWriter",
            "RandomAccessFile",
            "Console",
            "FileDescriptor");

    private static final Set<String> RUNNING = Set.of(
            "java.lang.Thread", "java.lang.Process", "java.lang.ProcessBuilder", "java.util.Timer", "java.time.Clock");

    private static final Set<String> MACHINES = Set.of(
            "postroad.sync.peer.SenderMachine",
            "postroad.sync.peer.SenderEvent",
            "postroad.sync.peer.ReceiverMachine",
            "postroad.sync.peer.ReceiverEvent");

    private static JavaClasses all;

    @BeforeAll
    static void readClasses() {
        all = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("postroad");
    }

    @Test
    void seesTheWholeProgram() {
        for (String part : Set.of(
                "common",
                "wire",
                "nostr.core",
                "nostr.store",
                "nostr.relay",
                "nostr.client",
                "sync.core",
                "sync.folder",
                "sync.peer",
                "lab",
                "app")) {
            assertThat(all.that(resideInAPackage("postroad." + part + "..")))
                    .as(part)
                    .isNotEmpty();
        }
    }

    @Test
    void theTwoDomainsNeverMeet() {
        noClasses()
                .that()
                .resideInAPackage("postroad.nostr..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("postroad.sync..")
                .check(all);
        noClasses()
                .that()
                .resideInAPackage("postroad.sync..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("postroad.nostr..")
                .check(all);
    }

    @Test
    void coreOpensNoFileAndNoSocket() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.net..")
                        .and(DescribedPredicate.not(name("java.net.URI")))
                        .and(DescribedPredicate.not(name("java.net.URISyntaxException"))))
                .orShould()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "open files",
                        type -> type.getPackageName().equals("java.io") && OPENING.contains(type.getSimpleName())))
                .check(all);
    }

    @Test
    void coreStartsNoThreadAndReadsNoClock() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .dependOnClassesThat(DescribedPredicate.describe("run or time things", ArchitectureTest::runsOrTimes))
                .orShould()
                .callMethodWhere(readsTheClock())
                .check(all);
    }

    private static boolean runsOrTimes(JavaClass type) {
        String simple = type.getSimpleName();
        return RUNNING.contains(type.getName())
                || simple.endsWith("Executors")
                || simple.endsWith("ExecutorService")
                || simple.endsWith("ForkJoinPool");
    }

    private static DescribedPredicate<JavaAccess<?>> readsTheClock() {
        return DescribedPredicate.describe(
                "read the clock",
                access -> access.getTargetOwner().isEquivalentTo(System.class)
                                && Set.of("currentTimeMillis", "nanoTime").contains(access.getName())
                        || access.getTargetOwner().isEquivalentTo(Instant.class)
                                && access.getName().equals("now")
                        || access.getTargetOwner().isEquivalentTo(Clock.class));
    }

    @Test
    void coreKnowsNoModuleButCommon() {
        noClasses()
                .that()
                .resideInAPackage("postroad.nostr.core..")
                .should()
                .dependOnClassesThat(resideInAPackage("postroad..")
                        .and(DescribedPredicate.not(resideInAnyPackage("postroad.nostr.core..", "postroad.common.."))))
                .check(all);
    }

    @Test
    void theCoreOfFolderSyncKnowsNoModuleButCommon() {
        noClasses()
                .that()
                .resideInAPackage("postroad.sync.core..")
                .should()
                .dependOnClassesThat(resideInAPackage("postroad..")
                        .and(DescribedPredicate.not(resideInAnyPackage("postroad.sync.core..", "postroad.common.."))))
                .check(all);
    }

    @Test
    void theDiskSideOfFolderSyncKnowsNoNetwork() {
        noClasses()
                .that()
                .resideInAPackage("postroad.sync.folder..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(NETWORK).or(resideInAPackage("postroad.wire..")))
                .check(all);
    }

    /// What the two sides of a session decide, and what they are told, can be tried out without a second process.
    @Test
    void theMachinesOfFolderSyncOpenNothingStartNothingAndReadNoClock() {
        DescribedPredicate<JavaClass> machines = DescribedPredicate.describe(
                "are the machines of folder sync or their events",
                type -> MACHINES.contains(type.getName().replaceFirst("[$].*", "")));
        assertThat(all.that(machines)).extracting(JavaClass::getName).containsAll(MACHINES);
        noClasses()
                .that(machines)
                .should()
                .dependOnClassesThat(resideInAnyPackage(NETWORK)
                        .or(resideInAnyPackage("java.nio.file..", "postroad.wire..", "postroad.sync.folder..")))
                .orShould()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "open files, or run or time things",
                        type -> type.getPackageName().equals("java.io") && OPENING.contains(type.getSimpleName())
                                || runsOrTimes(type)))
                .orShould()
                .callMethodWhere(readsTheClock())
                .check(all);
    }

    @Test
    void theStoreKnowsNoNetwork() {
        noClasses()
                .that()
                .resideInAPackage("postroad.nostr.store..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(NETWORK)
                        .and(DescribedPredicate.not(name("java.nio.channels.FileChannel")))
                        .and(DescribedPredicate.not(name("java.nio.channels.FileChannel$MapMode")))
                        .and(DescribedPredicate.not(name("java.nio.channels.FileLock")))
                        .and(DescribedPredicate.not(name("java.nio.channels.OverlappingFileLockException"))))
                .check(all);
    }

    @Test
    void theRelayKnowsTheStoreByItsSeamOnly() {
        noClasses()
                .that()
                .resideInAPackage("postroad.nostr.relay..")
                .and()
                .haveSimpleNameNotContaining("WarmUp")
                .and()
                .haveSimpleNameNotContaining("Warmup")
                .should()
                .dependOnClassesThat(resideInAPackage("postroad.nostr.store..")
                        .and(DescribedPredicate.describe(
                                "are the LMDB store",
                                type -> type.getSimpleName().startsWith("Lmdb"))))
                .check(all);
    }

    @Test
    void onlyTheProgramKnowsCommandLineAndConfiguration() {
        noClasses()
                .that()
                .resideOutsideOfPackage("postroad.app..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.commons.cli..", "org.tomlj..")
                .check(all);
    }

    @Test
    void nothingShippedUsesTheTestsTools() {
        noClasses()
                .that()
                .resideOutsideOfPackages("postroad.nostr.kit..", "postroad.lab..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("postroad.nostr.kit..", "org.junit..", "org.assertj..")
                .check(all);
    }

    @Test
    void noPackagesFormACycle() {
        slices().matching("postroad.(**)").should().beFreeOfCycles().check(all);
    }

    @Test
    void onlyTheProgramEndsTheProcess() {
        noClasses()
                .that()
                .resideOutsideOfPackages("postroad.app..", "postroad.lab..")
                .should()
                .callMethodWhere(target(name("exit")).and(target(owner(name("java.lang.System")))))
                .check(all);
    }
}
